import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ProjectRole, UserStatus } from '../values.ts'
import { prepareOne, saveRow } from './queries.ts'
import type { Db, Row } from './tables.ts'

export const generateToken = (randomBytes: (size: number) => Buffer): string =>
  `upn_${randomBytes(32).toString('base64url')}`

/** One round of SHA-256 is enough: tokens are too long and random to be guessed, unlike passwords. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

type NewToken = { user_id: string; token: string; label: string }

/** Stores the token's hash. A token that already exists, even a revoked one, becomes valid for this user. */
export const saveToken = (db: Db, { user_id, token, label }: NewToken) =>
  db
    .insertInto('token')
    .values({ user_id, hash: hashToken(token), label })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ user_id, label, revoked_at: null }))
    .returningAll()
    .executeTakeFirstOrThrow()

type TokenUser = { token_id: string; user_id: string; email: string }

/** The user and token behind a request. */
export type Caller = TokenUser & { may_schedule: boolean }

/** The user of a token, with their role and status if they belong to the project. */
export type Membership = TokenUser & {
  role: ProjectRole | null
  status: UserStatus | null
  is_bot_only: boolean | null
}

/** Returns undefined if the token isn't valid. */
export const findMembership = prepareOne(
  (db, { hash, project_id }: { hash: Buffer; project_id: string | null }) =>
    db
      .selectFrom('token')
      .innerJoin('person', 'person.id', 'token.user_id')
      .leftJoin('project_user', (join) =>
        join
          .onRef('project_user.user_id', '=', 'token.user_id')
          .on('project_user.project_id', '=', project_id),
      )
      .leftJoin('project', 'project.id', 'project_user.project_id')
      .select(['token.id as token_id', 'token.user_id', 'email', 'role', 'status', 'is_bot_only'])
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null),
)

export const listTokens = (db: Db) =>
  db
    .selectFrom('token')
    .innerJoin('person', 'person.id', 'token.user_id')
    .select(['token.id', 'email', 'label', 'token.created_at', 'revoked_at'])
    .orderBy('token.created_at')
    .execute()

/** Compares ids as text, because an operator's input may not be a UUID. */
const hasId = (id: string) => sql<boolean>`id::text = ${id}`

export const findValidToken = (db: Db, id: string) =>
  db.selectFrom('token').select('id').where(hasId(id)).where('revoked_at', 'is', null).executeTakeFirst()

const revokeTokensQuery = (db: Db, now: Date) =>
  db.updateTable('token').set({ revoked_at: now }).where('revoked_at', 'is', null).returning('id')

/** Returns undefined if no valid token has this id. The label changes so that the next start can't revive the token. */
export const revokeToken = (db: Db, id: string, now: Date) =>
  revokeTokensQuery(db, now).set({ label: sql`label || ' (revoked)'` }).where(hasId(id)).executeTakeFirst()

type TokenOwner = { user_id: string; label: string }

/** Revokes the tokens that a user has under a label, except one of them. */
export const revokeTokensWithLabel = (
  db: Db,
  { user_id, label }: TokenOwner,
  { except = '', now }: { except: string | undefined; now: Date },
) =>
  revokeTokensQuery(db, now)
    .where((eb) => eb.and({ user_id, label }))
    .where('hash', '!=', hashToken(except))
    .execute()

/** Finds the user and label of a token, even of a revoked one. */
export const findTokenOwner = (db: Db, token: string): Promise<TokenOwner | undefined> =>
  db.selectFrom('token').select(['user_id', 'label']).where('hash', '=', hashToken(token)).executeTakeFirst()

export const deleteRevokedTokens = (db: Db, revokedBefore: Date): Promise<unknown> =>
  db.deleteFrom('token').where('revoked_at', '<', revokedBefore).execute()

export const MAX_STAGED_FILE_BYTES = 10 * 1024 * 1024

/** Replaces the previous file, because each token has at most one staged file. */
export const saveStagedFile = (db: Db, file: Row<'staged_file'>) =>
  saveRow(db, 'staged_file', ['token_id'], file)

export const deleteStagedFile = (db: Db, tokenId: string) =>
  db.deleteFrom('staged_file').where('token_id', '=', tokenId).returning('name').executeTakeFirst()

export const listStagedFiles = (db: Db) =>
  db
    .selectFrom('staged_file')
    .innerJoin('token', 'token.id', 'staged_file.token_id')
    .innerJoin('person', 'person.id', 'token.user_id')
    .select(['staged_file.name', 'email', 'label', 'staged_at'])
    .select((eb) => eb.fn<number>('octet_length', ['content']).as('size'))
    .orderBy('staged_at')
    .execute()
