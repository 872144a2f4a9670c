import { createHash } from 'node:crypto'
import pg from 'pg'

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
  const { rows } = await connection.query(OWNER_QUERY, [DATABASE])
  if (rows[0]?.owner !== ROLE) await takeOverDatabase(superuser)
  return `postgresql://${ROLE}:${password}@${superuser.host}:${superuser.port}/${DATABASE}`
}

async function exists(connection: pg.Client, catalog: string, column: string, name: string) {
  const { rowCount } = await connection.query(`select from ${catalog} where ${column} = $1`, [name])
  return rowCount === 1
}

const OWNER_QUERY = 'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1'

/** Another process may create the same at the same time. */
const ignoreDuplicate = (creation: Promise<unknown>) =>
  creation.catch((error) => {
    if (!['42P04', '42710', '23505'].includes(error.code)) throw error
  })

/** In earlier versions, the superuser owned everything. */
async function takeOverDatabase(superuser: Superuser): Promise<void> {
  const client = new pg.Client({ ...superuser, database: DATABASE })
  await client.connect()
  try {
    // As one transaction, so that the database changes its owner together with its content.
    await client.query(TAKE_OVER)
  } finally {
    await client.end()
  }
}

const isOurs = (schema: string, oid: string) => `
  ${schema} in (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
  and not exists (select from pg_depend where objid = ${oid} and deptype = 'e')`

/** "alter table" also applies to views and sequences. A column's sequence and a table's type follow their table. */
const TAKE_OVER = `
  begin;
  select pg_advisory_xact_lock(7503203);
  do $$
    declare target text;
    begin
      for target in
        select format('schema %I', nspname) from pg_namespace
          where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
        union all
        select format('table %s', oid::regclass) from pg_class
          where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${isOurs('relnamespace', 'pg_class.oid')}
          and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i') and relkind = 'S')
        union all
        select format('routine %s', oid::regprocedure) from pg_proc where ${isOurs('pronamespace', 'pg_proc.oid')}
        union all
        select format('type %s', oid::regtype) from pg_type
          where typtype in ('e', 'd') and ${isOurs('typnamespace', 'pg_type.oid')}
      loop
        execute format('alter %s owner to ${ROLE}', target);
      end loop;
    end
  $$;
  alter database ${DATABASE} owner to ${ROLE};
  commit`
