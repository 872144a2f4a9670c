import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import type { Runtime } from '../runtime.ts'

/** Encrypts values before they are stored. Each encrypted value names its key, so keys can be replaced one at a time. */
export type Encryption = {
  /** New values are encrypted with this key. */
  keyId: string
  keyIds: string[]
  encrypt: (text: string) => string
  decrypt: (encrypted: string) => string
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** `enc:v1:<key id>:<nonce, tag and ciphertext>` */
const FORMAT = /^enc:v1:([0-9a-f]{12}):([A-Za-z0-9_-]+)$/

export const encryptedPrefix = (keyId: string): string => `enc:v1:${keyId}:`

/** For SQL: finds the id of the key in the first characters of a value. */
export const KEY_ID_PATTERN = '^enc:v1:([0-9a-f]{12}):'
export const PREFIX_LENGTH = 20

export const isEncrypted = (value: unknown): value is string =>
  typeof value === 'string' && FORMAT.test(value)

/** The first secret encrypts. The others only decrypt, until everything is encrypted with the first one. */
export function createEncryption(
  secrets: readonly string[],
  randomBytes: Runtime['randomBytes'],
): Encryption {
  const keys = new Map(secrets.map((secret) => [idOf(secret), deriveKey(secret)]))
  const [keyId = ''] = keys.keys()
  return {
    keyId,
    keyIds: [...keys.keys()],
    encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, keyOf(keys, keyId), nonce)
      cipher.setAAD(Buffer.from(keyId))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return (
        encryptedPrefix(keyId) + Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
      )
    },
    decrypt(encrypted) {
      const [, id = '', payload = ''] = FORMAT.exec(encrypted) ?? []
      const bytes = Buffer.from(payload, 'base64url')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(ALGORITHM, keyOf(keys, id), nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(id))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
      return text.toString('utf8')
    },
  }
}

function keyOf(keys: Map<string, Buffer>, id: string): Buffer {
  const key = keys.get(id)
  if (!key)
    throw new Error(`A stored value is encrypted with the key ${id || '(none)'}, which isn't in SECRET_KEY.`)
  return key
}

/** Secrets are long and random, so a fast derivation is enough. */
const deriveKey = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'upnext encryption at rest', KEY_BYTES))

/** The id is stored with the data, and reveals nothing about a random secret. */
const idOf = (secret: string): string =>
  createHash('sha256').update(`upnext key id ${secret}`).digest('hex').slice(0, 12)
