import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'
import { lendToken, seedDemo, setAdminToken } from './demo.ts'
import { type Service, startService } from './service.ts'

type OpenServiceOptions = { config: Config; pool: Pool; log: Logger; runtime: Runtime }

/** The service as the configuration wants it; `notes` are for the person who started it. */
export async function openService({
  config,
  pool,
  log,
  runtime,
}: OpenServiceOptions): Promise<Service & { notes: string[]; token?: string }> {
  const service = await startService({ pool, host: config.HOST, port: config.SERVICE_PORT, log, runtime })
  // Only a database of our own is filled with a demo: who names one has a use for it.
  const seeded = config.DATABASE_URL ? [] : await prepareDemo(service, runtime)
  const notes = [...seeded, ...(await takeToken(service, config.API_TOKEN, runtime))]
  const lent = config.DATABASE_URL
    ? undefined
    : await lendToken({ db: service.db, randomBytes: runtime.randomBytes })
  if (!lent) return { ...service, notes }
  const stop = async () => {
    // Where the database is gone already, the token has nobody who knows it.
    await lent.takeBack(runtime.now()).catch(() => {})
    await service.stop()
  }
  return { ...service, notes, token: lent.token, stop }
}

async function prepareDemo({ db }: Service, { now, randomBytes }: Runtime): Promise<string[]> {
  const seeded = await seedDemo({ db, now: now(), randomBytes })
  if (!seeded) return []
  return [
    `demo      made two projects to try things with; this token of ${seeded.admin} is shown only now:`,
    `          ${seeded.token}`,
  ]
}

/** Also where none is set: the one of an earlier start is to be of no use then. */
async function takeToken({ db }: Service, token: string | undefined, { now }: Runtime): Promise<string[]> {
  const admin = await setAdminToken({ db, now: now(), token })
  if (!token) return []
  if (admin) return [`demo      API_TOKEN is a token of ${admin}`]
  return [
    'demo      API_TOKEN is not used, for there is no demo here; "npm run service -- token add" makes tokens',
  ]
}
