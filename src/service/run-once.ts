import { createHash } from 'node:crypto'
import { claimKey, reuseKey, saveResponse } from './stores/idempotency-store.ts'
import type { Db } from './stores/tables.ts'
import { RequestError, validationFailed, valueError } from './validation/errors.ts'

/** A request whose client chose a key for it, so that it can be repeated safely. */
export type KeyedRequest = {
  key: string
  user_id: string
  /** The operation's path and the ids in it. */
  target: string
  body: Record<string, unknown>
  now: Date
}

/**
 * Runs a request, or returns the data of the first response if one with the same key succeeded before. An error isn't
 * stored, because it rolls everything back.
 */
export const runOnce = (db: Db, request: KeyedRequest, run: (db: Db) => Promise<unknown>): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    const { key, user_id, now } = request
    const use = { user_id, key, request_hash: hashRequest(request) }
    if (await claimKey(transaction, use, now)) {
      const data = await run(transaction)
      await saveResponse(transaction, use, data)
      return data
    }
    const firstUse = await reuseKey(transaction, use, now)
    if (!firstUse)
      throw new RequestError(409, 'A request with this Idempotency-Key is in progress. Repeat it later.')
    if (firstUse.request_hash.equals(use.request_hash)) return firstUse.data
    const reason = 'this key was used for a different request'
    throw validationFailed(valueError(['header', 'Idempotency-Key'], reason, key))
  })

const MAX_KEY_LENGTH = 255

/** Accepts the key with quotation marks, as in the draft standard, and without them, as most services expect it. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const [, quoted] = /^"([^"\\]*)"$/.exec(String(header)) ?? []
  const key = quoted ?? String(header)
  if (/^[\x20-\x7e]+$/.test(key) && key.length <= MAX_KEY_LENGTH) return key
  throw new RequestError(400, `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} printable ASCII characters.`)
}

function hashRequest({ target, body }: KeyedRequest): Buffer {
  const content = JSON.stringify([target, body], (_name, value) => sortFields(value))
  return createHash('sha256').update(content).digest()
}

/** A client that stores the body before it repeats the request may change the order of the fields. */
const sortFields = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
