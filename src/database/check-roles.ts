import type pg from 'pg'
import type { StoreAccess } from './database.ts'

/**
 * Throws an error with advice if the roles can't create and change the tables of the schema, or if separate roles don't
 * protect the tables. If DATABASE_OWNER_URL is set, the tables belong to the role in that URL. Returns the app's role.
 */
export async function checkRoles(
  { pool, ownerPool = pool }: Pick<StoreAccess, 'pool' | 'ownerPool'>,
  schema: string,
): Promise<string> {
  const owner = await readRole(ownerPool, schema)
  const app = await readRole(pool, schema, owner.name)
  if (owner.location !== app.location)
    throw new Error(
      'DATABASE_URL and DATABASE_OWNER_URL point to different databases. Use the same database in both.',
    )
  // Nothing can keep an owner, a member of the owner's role, or a superuser from changing tables.
  if (ownerPool !== pool && app.is_member_of_owner)
    throw new Error(
      'DATABASE_OWNER_URL has no effect, because the role in DATABASE_URL is the same as the one in DATABASE_OWNER_URL, a member of it, or a superuser. Use another role in DATABASE_URL, or remove DATABASE_OWNER_URL.',
    )
  if (ownerPool !== pool && app.owns_tables)
    throw new Error(
      `DATABASE_OWNER_URL has no effect, because the role in DATABASE_URL owns tables in the schema ${schema}. Make the role in DATABASE_OWNER_URL their owner with "reassign owned by", or remove DATABASE_OWNER_URL.`,
    )
  if (owner.other_owner)
    throw new Error(
      `The tables in the schema ${schema} belong to the role ${owner.other_owner}. Set DATABASE_OWNER_URL to that role's URL.`,
    )
  if (owner.missing_grant)
    throw new Error(
      `The role ${owner.name} can't create tables in the schema ${schema}. As the owner of the database, run: ${owner.missing_grant}`,
    )
  return app.name
}

type Role = {
  name: string
  /** The database, and the moment when its server started. Two servers don't start in the same microsecond. */
  location: string
  /** Whether the role is the owner, a member of the owner's role, or a superuser. */
  is_member_of_owner: boolean | null
  owns_tables: boolean | null
  /** The role that owns our tables in the schema, if the current role can't change them. */
  other_owner: string | null
  /** The statement that would let the role create the tables. */
  missing_grant: string | null
}

async function readRole(pool: pg.Pool, schema: string, owner = ''): Promise<Role> {
  const { rows } = await pool.query(ROLE_QUERY, [schema, owner])
  return rows[0]
}

const ROLE_QUERY = `
  select current_user as name, extract(epoch from pg_postmaster_start_time()) || current_database() as location,
    (select pg_has_role(oid, 'member') from pg_roles where rolname = $2) as is_member_of_owner,
    (select bool_or(pg_has_role(relowner, 'member')) from pg_class
      where relnamespace = namespace and relkind = 'r') as owns_tables,
    (select pg_get_userbyid(relowner) from pg_class where relnamespace = namespace
      and relname = 'kysely_migration' and not pg_has_role(relowner, 'usage')) as other_owner,
    case
      when exists (select from pg_class where relnamespace = namespace and relname = 'kysely_migration') then null
      when namespace is null and not has_database_privilege(current_database(), 'create')
        then format('grant create on database %I to %I', current_database(), current_user)
      when not has_schema_privilege(namespace, 'create')
        then format('grant create on schema %s to %I', namespace, current_user)
    end as missing_grant
  from to_regnamespace($1) namespace`
