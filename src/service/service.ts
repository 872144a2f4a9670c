import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Runtime } from '../runtime.ts'
import { operations } from './operations/index.ts'
import { startPublishing } from './publishing/publishing.ts'
import { createServer } from './server.ts'
import { connectStorage, isReachable } from './storage/connect.ts'
import type { Db } from './storage/tables.ts'

export type ServiceOptions = { pool: Pool; host: string; port: number; log: Logger; runtime: Runtime }

const PATIENCE_MS = 10_000

export type Service = { url: string; db: Db; stop(): Promise<void> }

/** The scheduling API: HTTP in front, PostgreSQL behind, and the clock beside. */
export async function startService({ pool, host, port, log, runtime }: ServiceOptions): Promise<Service> {
  const db = await connectStorage(pool)
  const isReady = () => isReachable(pool)
  const publishing = await startPublishing({ pool, db, log, runtime })
  const server = createServer({ db, operations, log, runtime, isReady })
  try {
    await server.listen({ host, port })
  } catch (error) {
    await publishing.stop()
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? portTaken(port) : error
  }
  const address = server.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    db,
    async stop() {
      // A request that never ends must not keep the service from stopping.
      const impatience = setTimeout(() => server.server.closeAllConnections(), PATIENCE_MS)
      await server.close()
      clearTimeout(impatience)
      await publishing.stop()
    },
  }
}

const portTaken = (port: number) =>
  new Error(
    `Port ${port} is taken, perhaps by another Upnext. Stop that one, or set SERVICE_PORT to another port.`,
  )
