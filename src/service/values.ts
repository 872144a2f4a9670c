export { PLATFORMS, type Platform } from '../platforms/platform-names.ts'

export const POST_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHED', 'FAILED'] as const
export type PostStatus = (typeof POST_STATUSES)[number]

/** The progress or the outcome of publishing a post on one platform. */
export const RESULT_STATES = ['NOT_CONNECTED', 'PUBLISHING', 'PUBLISHED', 'UNKNOWN', 'FAILED'] as const
export type ResultState = (typeof RESULT_STATES)[number]

/** Roles in ascending order: each role includes the permissions of the roles before it. */
export const ROLES = ['VIEWER', 'EDITOR', 'ADMIN'] as const
export type ProjectRole = (typeof ROLES)[number]

export const USER_STATUSES = ['ACTIVE', 'INACTIVE'] as const
export type UserStatus = (typeof USER_STATUSES)[number]
