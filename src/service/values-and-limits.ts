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

/** The platforms whose posts have a title. */
export const TITLE_RULES: { [P in Platform]?: { maxLength: number; isRequired?: true } } = {
  YOUTUBE: { maxLength: 100, isRequired: true },
  PINTEREST: { maxLength: 100 },
  REDDIT: { maxLength: 300, isRequired: true },
}

export const POST_STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHED', 'FAILED'] as const
export type PostStatus = (typeof POST_STATUSES)[number]

/** How far publishing a post on one platform has come. */
export const RESULT_STATES = ['NOT_CONNECTED', 'PUBLISHING', 'PUBLISHED', 'UNKNOWN', 'FAILED'] as const
export type ResultState = (typeof RESULT_STATES)[number]

/** Roles in ascending order: each role includes the permissions of the roles before it. */
export const ROLES = ['VIEWER', 'EDITOR', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]

export const USER_STATUSES = ['ACTIVE', 'INACTIVE'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** The API description has no size limits. The limits below keep a large request from slowing down the others. */
export const MAX_LENGTH = {
  content: 70_000,
  media: 2_048,
  mediaDescription: 2_000,
  name: 200,
  phoneNumber: 50,
  title: 300,
  promptText: 50_000,
  description: 5_000,
  source: 4_000,
}
/** The items of a list in a body or a query. Repeated values count. */
export const MAX_LIST_ITEMS = 100
/** How deeply lists and objects may be nested in a JSON body. */
export const MAX_JSON_DEPTH = 20
export const MAX_VALIDATION_ERRORS = 100
/** The longest input, measured as JSON, that a validation error repeats. */
export const MAX_ERROR_INPUT_LENGTH = 1_000
export const MAX_LOG_ENTRIES = 500
export const MAX_JSON_BODY_BYTES = 1024 * 1024
export const MAX_STAGED_FILE_BYTES = 10 * 1024 * 1024
