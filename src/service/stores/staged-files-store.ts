import type { Db, Row } from './tables.ts'

/** Replaces the previous file, because each token has at most one staged file. */
export const saveStagedFile = (db: Db, { token_id, ...file }: Row<'staged_file'>) =>
  db
    .insertInto('staged_file')
    .values({ token_id, ...file })
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet(file))
    .execute()

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
