import { createHash } from 'node:crypto'
import type pg from 'pg'

/** The service and the bot connect as this role. It owns their database, but can't read files or run programs. */
const ROLE = 'upnext_app'
const DATABASE = 'upnext'

type Superuser = { host: string; port: number; user: string; password: string }

/** Creates the role and its database if they don't exist, and returns the URL to connect to them. */
export async function ensureApplicationRole(connection: pg.Client, superuser: Superuser): Promise<string> {
  // The role's password doesn't reveal the superuser's.
  const password = createHash('sha256').update(`${ROLE} ${superuser.password}`).digest('base64url')
  if (!(await exists(connection, 'pg_roles', 'rolname', ROLE)))
    await ignoreDuplicate(connection.query(`create role ${ROLE} login password '${password}'`))
  if (!(await exists(connection, 'pg_database', 'datname', DATABASE)))
    await ignoreDuplicate(connection.query(`create database ${DATABASE} owner ${ROLE}`))
  return `postgresql://${ROLE}:${password}@${superuser.host}:${superuser.port}/${DATABASE}`
}

async function exists(connection: pg.Client, catalog: string, column: string, name: string) {
  const { rowCount } = await connection.query(`select from ${catalog} where ${column} = $1`, [name])
  return rowCount === 1
}

/** Another process may be creating the same role or database. */
const ignoreDuplicate = (creation: Promise<unknown>) =>
  creation.catch((error) => {
    if (!['42P04', '42710', '23505'].includes(error.code)) throw error
  })
