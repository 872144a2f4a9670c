import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'

/** The address of an empty database that nobody else uses. */
export async function emptyDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client(url.href)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  url.pathname = `/${name}`
  return url.href
}

export const open = (url: string): Promise<Database> =>
  openDatabase({ config: { DATABASE_URL: url, DATA_DIR: '' }, onError: () => {}, randomBytes })
