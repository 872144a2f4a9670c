import { isObject, type SuccessfulResponse } from './result.ts'

/** Abilities of a service beyond the contract. */
export type ServiceExtensions = {
  canChangePosts: boolean
  /** Whether a request to create a record can be repeated without creating a duplicate. */
  supportsIdempotencyKeys: boolean
  /** Whether a project's accounts publish its posts, and posts have results. */
  hasAccounts: boolean
  /** Whether a post can have different text on each platform. */
  supportsPlatformText: boolean
}

export const NO_EXTENSIONS: ServiceExtensions = {
  canChangePosts: false,
  supportsIdempotencyKeys: false,
  hasAccounts: false,
  supportsPlatformText: false,
}

const CREATION_PATHS = ['posts', 'prompts', 'users/invite'].map(
  (path) => new RegExp(`^/api/v1/projects/\\{[^/}]+\\}/${path}$`),
)
const POST_PATH = /^\/extensions\/v1\/projects\/\{[^/}]+\}\/posts\/\{[^/}]+\}$/
const ACCOUNTS_PATH = /^\/extensions\/v1\/projects\/\{[^/}]+\}\/accounts$/
const EXTENSION_METHODS = ['get', 'put', 'delete']

export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'

/**
 * Finds our extensions in an OpenAPI document by their methods and paths. Returns undefined if `document` is something
 * else. `key` is the idempotency key that was sent with the request for the document.
 */
export function readExtensions(
  document: unknown,
  { headers }: Pick<SuccessfulResponse, 'headers'>,
  key: string,
): ServiceExtensions | undefined {
  if (!isObject(document) || !isObject(document.paths)) return undefined
  const { paths } = document
  const findPath = (pattern: RegExp): Record<string, unknown> => {
    const item = Object.entries(paths).find(([path]) => pattern.test(path))?.[1]
    return isObject(item) ? item : {}
  }
  const posts = findPath(POST_PATH)
  const hasKey = (pattern: RegExp) => {
    const { post } = findPath(pattern)
    const parameters = isObject(post) && Array.isArray(post.parameters) ? post.parameters : []
    return parameters.some((parameter) => isIdempotencyKey(resolve(document, parameter)))
  }
  const canChangePosts = EXTENSION_METHODS.every((method) => method in posts)
  // Our own service echoes the key. If it doesn't come back, a proxy has dropped the header.
  const isKeyDropped = canChangePosts && headers.get(IDEMPOTENCY_KEY_HEADER) !== key
  return {
    canChangePosts,
    supportsIdempotencyKeys: CREATION_PATHS.every(hasKey) && !isKeyDropped,
    hasAccounts: canChangePosts && 'get' in findPath(ACCOUNTS_PATH),
    supportsPlatformText: canChangePosts && listFields(posts.put).includes('Texts'),
  }
}

/** The fields that our extension adds to a post. */
const listFields = (operation: unknown): unknown[] =>
  isObject(operation) && Array.isArray(operation['x-fields']) ? operation['x-fields'] : []

const isIdempotencyKey = (parameter: unknown): boolean =>
  isObject(parameter) &&
  parameter.in === 'header' &&
  String(parameter.name).toLowerCase() === IDEMPOTENCY_KEY_HEADER

/** Follows a reference within the document. */
function resolve(document: unknown, value: unknown): unknown {
  const reference = isObject(value) ? value.$ref : undefined
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value
  return reference
    .slice(2)
    .split('/')
    .reduce((node: unknown, name) => (isObject(node) ? node[name] : undefined), document)
}
