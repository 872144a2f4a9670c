import type { ServiceExtensions } from '../../../api/service-extensions.ts'
import type { Db } from '../../database/tables.ts'

export async function findExtensions(db: Db, service_url: string): Promise<ServiceExtensions | undefined> {
  const row = await db
    .selectFrom('service_extension')
    .select('can_change_posts')
    .where('service_url', '=', service_url)
    .executeTakeFirst()
  return row && { canChangePosts: row.can_change_posts }
}

export const saveExtensions = (db: Db, service_url: string, { canChangePosts }: ServiceExtensions) =>
  db
    .insertInto('service_extension')
    .values({ service_url, can_change_posts: canChangePosts })
    .onConflict((conflict) =>
      conflict.column('service_url').doUpdateSet({ can_change_posts: canChangePosts }),
    )
    .execute()
