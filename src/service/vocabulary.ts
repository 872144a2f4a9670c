/** The words that the service knows: where the description names some, those; where it leaves them open, these. */

export const PLATFORMS = [
  'INSTAGRAM',
  'FACEBOOK',
  'LINKEDIN',
  'X',
  'YOUTUBE',
  'TIKTOK',
  'PINTEREST',
  'REDDIT',
  'TELEGRAM',
  'THREADS',
] as const
export type Platform = (typeof PLATFORMS)[number]

export const POST_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHED'] as const
export type PostStatus = (typeof POST_STATUSES)[number]

/** From the least rights to the most. */
export const ROLES = ['VIEWER', 'EDITOR', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]

export const USER_STATUSES = ['ACTIVE', 'INACTIVE'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

export const covers = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)
