import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { World } from '../world.ts'
import { addAdminToken, seedDemo } from './demo.ts'
import { type Service, startService } from './service.ts'

type OpenServiceOptions = { config: Config; pool: Pool; log: Logger; world: World }

/** The service as the configuration wants it; `notes` are for the person who started it. */
export async function openService({
  config,
  pool,
  log,
  world,
}: OpenServiceOptions): Promise<Service & { notes: string[] }> {
  const service = await startService({ pool, host: config.HOST, port: config.SERVICE_PORT, log, world })
  // Only a database of our own is filled with a demo: who names one has a use for it.
  const notes = config.DATABASE_URL ? [] : await prepareDemo(service, config.API_TOKEN, world)
  return { ...service, notes }
}

async function prepareDemo({ db }: Service, adminToken: string | undefined, world: World): Promise<string[]> {
  const notes: string[] = []
  const seeded = await seedDemo({ db, now: world.now(), randomBytes: world.randomBytes })
  if (seeded)
    notes.push(
      `demo      made two projects to try things with; this token of ${seeded.admin} is shown only now:`,
      `          ${seeded.token}`,
    )
  if (!adminToken) return notes
  const admin = await addAdminToken({ db, now: world.now(), token: adminToken })
  if (admin) notes.push(`demo      API_TOKEN is a token of ${admin}`)
  else
    notes.push(
      'demo      API_TOKEN is not used, for there is no demo here; "npm run service -- token add" makes tokens',
    )
  return notes
}
