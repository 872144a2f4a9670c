import { isObject } from './result.ts'

/** Abilities of a service beyond the contract. */
export type ServiceExtensions = { canChangePosts: boolean }

export const NO_EXTENSIONS: ServiceExtensions = { canChangePosts: false }

const POST_PATH = /^\/extensions\/v1\/projects\/\{[^/}]+\}\/posts\/\{[^/}]+\}$/
const POST_METHODS = ['get', 'put', 'delete']

/** Finds our extensions in an OpenAPI document by their methods and paths. Returns undefined if it isn't such a document. */
export function readExtensions(document: unknown): ServiceExtensions | undefined {
  if (!isObject(document) || !isObject(document.paths)) return undefined
  const posts = Object.entries(document.paths).find(([path]) => POST_PATH.test(path))?.[1]
  return { canChangePosts: isObject(posts) && POST_METHODS.every((method) => method in posts) }
}
