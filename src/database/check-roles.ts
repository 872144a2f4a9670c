import type pg from 'pg'
import type { StoreAccess } from './database.ts'

/**
 * Throws an error with advice if the roles can't create and change the tables of the schema, or if separate roles don't
 * protect the tables. If DATABASE_OWNER_URL is set, the tables belong to the role in that URL.
 */
export async function checkRoles(
  { pool, ownerPool = pool }: Pick<StoreAccess, 'pool' | 'ownerPool'>,
  schema: string,
): Promise<void> {
  const [owner, app] = [await readRole(ownerPool, schema), await readRole(pool, schema)]
  if (owner.location !== app.location)
    throw new Error(
      'DATABASE_URL and DATABASE_OWNER_URL point to different databases. Use the same database in both.',
    )
  if (ownerPool !== pool) await refuseOwner(pool, schema, owner.name)
  if (owner.other_owner)
    throw new Error(
      `The tables in the schema ${schema} belong to the role ${owner.other_owner}. Set DATABASE_OWNER_URL to that role's URL.`,
    )
  await refuseMissingGrant(ownerPool, schema)
}

type Role = {
  name: string
  /** Identifies the server and the database. */
  location: string
  /** The role that owns our tables in the schema, if the current role can't change them. */
  other_owner: string | null
}

async function readRole(pool: pg.Pool, schema: string): Promise<Role> {
  const { rows } = await pool.query(ROLE_QUERY, [schema])
  return rows[0]
}

/** `location` identifies the database, because two servers don't start in the same microsecond. */
const ROLE_QUERY = `
  select current_user as name, extract(epoch from pg_postmaster_start_time()) || current_database() as location,
    (select pg_get_userbyid(relowner) from pg_class where relnamespace = to_regnamespace($1)
      and relname = 'kysely_migration' and not pg_has_role(relowner, 'usage')) as other_owner`

async function refuseMissingGrant(pool: pg.Pool, schema: string) {
  const { rows } = await pool.query(GRANT_QUERY, [schema])
  const { role, missing_grant } = rows[0]
  if (missing_grant)
    throw new Error(
      `The role ${role} can't create tables in the schema ${schema}. As the owner of the database, run: ${missing_grant}`,
    )
}

const GRANT_QUERY = `
  select current_user as role,
    case
      when exists (select from pg_class where relnamespace = namespace and relname = 'kysely_migration') then null
      when namespace is null and not has_database_privilege(current_database(), 'create')
        then format('grant create on database %I to %I', current_database(), current_user)
      when not has_schema_privilege(namespace, 'create')
        then format('grant create on schema %s to %I', namespace, current_user)
    end as missing_grant
  from to_regnamespace($1) namespace`

/** Nothing can keep an owner, a member of the owner's role, or a superuser from changing tables. */
async function refuseOwner(pool: pg.Pool, schema: string, owner: string): Promise<void> {
  const { rows } = await pool.query(POWER_QUERY, [schema, owner])
  if (rows[0].is_owner)
    throw new Error(
      'DATABASE_OWNER_URL protects nothing, because the role in DATABASE_URL is the same role, a member of that role, or a superuser. Use another role in DATABASE_URL, or remove DATABASE_OWNER_URL.',
    )
  if (rows[0].owns_tables)
    throw new Error(
      `DATABASE_OWNER_URL protects nothing, because the role in DATABASE_URL owns tables in the schema ${schema}. Make the other role their owner with "reassign owned by", or remove DATABASE_OWNER_URL.`,
    )
}

const POWER_QUERY = `
  select pg_has_role($2::name, 'member') as is_owner,
    exists (
      select from pg_class
      where relnamespace = to_regnamespace($1) and relkind = 'r' and pg_has_role(relowner, 'member')
    ) as owns_tables`
