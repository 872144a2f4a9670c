import { RequestError } from './validation/errors.ts'

/** The ETag of a record with a version is that version. */
export const findETag = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null && 'Version' in data ? `"${data.Version}"` : undefined

/** Stands for any tag that isn't in our format. No record has this version. */
const NO_VERSION = 0

/** Returns the version that a change is based on. */
export function requireVersion(ifMatch: string | undefined): number {
  if (!ifMatch) throw new RequestError(428, "Send the post's ETag in If-Match.")
  const [, version = NO_VERSION] = /^"([1-9]\d{0,8})"$/.exec(ifMatch) ?? []
  return Number(version)
}
