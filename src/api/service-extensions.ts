import { isObject, type SuccessfulResponse } from './result.ts'

/** Abilities of a service beyond the contract. */
export type ServiceExtensions = {
  canChangePosts: boolean
  /** Whether a request to create a post can be repeated without creating it twice. */
  takesIdempotencyKeys: boolean
}

export const NO_EXTENSIONS: ServiceExtensions = { canChangePosts: false, takesIdempotencyKeys: false }

const CREATION_PATH = /^\/api\/v1\/projects\/\{[^/}]+\}\/posts$/
const POST_PATH = /^\/extensions\/v1\/projects\/\{[^/}]+\}\/posts\/\{[^/}]+\}$/
const POST_METHODS = ['get', 'put', 'delete']

export const IDEMPOTENCY_KEY = 'idempotency-key'
/** Sent with the request for the document. */
export const KEY_OF_CHECK = 'check'

/** Finds our extensions in an OpenAPI document by their methods and paths. Returns undefined if it isn't such a document. */
export function readExtensions(
  document: unknown,
  { headers }: Pick<SuccessfulResponse, 'headers'>,
): ServiceExtensions | undefined {
  if (!isObject(document) || !isObject(document.paths)) return undefined
  const { paths } = document
  const findPath = (pattern: RegExp): Record<string, unknown> => {
    const item = Object.entries(paths).find(([path]) => pattern.test(path))?.[1]
    return isObject(item) ? item : {}
  }
  const posts = findPath(POST_PATH)
  const { post: creation } = findPath(CREATION_PATH)
  const parameters = isObject(creation) && Array.isArray(creation.parameters) ? creation.parameters : []
  const canChangePosts = POST_METHODS.every((method) => method in posts)
  const hasKeys = parameters.some((parameter) => isIdempotencyKey(resolve(document, parameter)))
  // Our own service returns the key of this request. If it doesn't, a proxy in between drops the header.
  const isKeyDropped = canChangePosts && headers.get(IDEMPOTENCY_KEY) !== KEY_OF_CHECK
  return { canChangePosts, takesIdempotencyKeys: hasKeys && !isKeyDropped }
}

const isIdempotencyKey = (parameter: unknown): boolean =>
  isObject(parameter) && parameter.in === 'header' && String(parameter.name).toLowerCase() === IDEMPOTENCY_KEY

/** Follows a reference within the document. */
function resolve(document: unknown, value: unknown): unknown {
  const reference = isObject(value) ? value.$ref : undefined
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value
  return reference
    .slice(2)
    .split('/')
    .reduce((node: unknown, name) => (isObject(node) ? node[name] : undefined), document)
}
