import { createHash } from 'node:crypto'
import type { Role, UserStatus } from '../vocabulary.ts'
import type { Db, Row } from './tables.ts'

export const mintToken = (randomBytes: (size: number) => Buffer): string =>
  `upn_${randomBytes(32).toString('base64url')}`

/** Tokens are long and random, so one round of SHA-256 hides them as well as a slow hash would. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

export type NewToken = { user_id: string; token: string; label: string }

/** Writes the token's hash down. Where the same token is there already, it is (again) that person's. */
export const saveToken = (db: Db, { user_id, token, label }: NewToken): Promise<Row<'token'>> =>
  db
    .insertInto('token')
    .values({ user_id, hash: hashOf(token), label })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ user_id, label, revoked_at: null }))
    .returningAll()
    .executeTakeFirstOrThrow()

export type Caller = { token_id: string; user_id: string; email: string }
export type Member = Caller & { role: Role | null; status: UserStatus | null }

/** Whose token it is, and what that person is in the project, where one is named. */
export const findCaller = (
  db: Db,
  token: string,
  projectId: string | undefined,
): Promise<Member | undefined> =>
  db
    .selectFrom('token')
    .innerJoin('person', 'person.id', 'token.user_id')
    .leftJoin('project_user', (join) =>
      join
        .onRef('project_user.user_id', '=', 'token.user_id')
        .on('project_user.project_id', '=', projectId ?? null),
    )
    .select(['token.id as token_id', 'token.user_id', 'email', 'role', 'status'])
    .where('hash', '=', hashOf(token))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

export const listTokens = (db: Db) =>
  db
    .selectFrom('token')
    .innerJoin('person', 'person.id', 'token.user_id')
    .select(['token.id', 'email', 'label', 'token.created_at', 'revoked_at'])
    .orderBy('token.created_at')
    .execute()

export async function revokeToken(db: Db, id: string, now: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('token')
    .set({ revoked_at: now })
    .where((eb) => eb(eb.cast('id', 'text'), '=', id))
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revoked !== undefined
}

export const findValidToken = (db: Db, id: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('token')
    .select('id')
    .where((eb) => eb(eb.cast('id', 'text'), '=', id))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

export const revokeTokensLabelled = (db: Db, label: string, now: Date): Promise<unknown> =>
  db
    .updateTable('token')
    .set({ revoked_at: now })
    .where('label', '=', label)
    .where('revoked_at', 'is', null)
    .execute()
