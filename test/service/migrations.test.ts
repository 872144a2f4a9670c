import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openServiceDatabase } from '../../src/service/stores/database.ts'
import { createDatabase, openTestDatabase } from '../support/database.ts'

const FOLDER = 'src/service/stores/migrations'

it('no migration of the service imports application code, which may change later', () => {
  const files = readdirSync(FOLDER)
  expect(files).toContain('0001-service-tables.ts')
  for (const file of files) {
    const code = readFileSync(join(FOLDER, file), 'utf8')
    const imports = [...code.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)/g)].map((match) => match[1])
    expect([file, imports]).toEqual([file, []])
  }
})

it('the migrations create an index on posts for each platform', async () => {
  const database = await openTestDatabase(await createDatabase())
  await openServiceDatabase(database)
  const { rows } = await database.pool.query(
    "select indexname from pg_indexes where schemaname = 'service' and indexname like 'post_on_%' order by 1",
  )
  expect(rows.map(({ indexname }) => indexname.slice('post_on_'.length))).toEqual([
    'facebook',
    'instagram',
    'linkedin',
    'pinterest',
    'reddit',
    'telegram',
    'threads',
    'tiktok',
    'x',
    'youtube',
  ])
  await database.close()
})
