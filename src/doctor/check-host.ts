import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { explainListenError } from '../listen-address.ts'
import { type Check, fail, ok } from './check.ts'

/** Listens for a moment on any free port, because Upnext may be running already and occupy PORT. */
export async function checkHost({ HOST: host }: Pick<Config, 'HOST'>): Promise<Check[]> {
  const server = createServer().listen(0, host)
  try {
    await once(server, 'listening')
    return [ok('host', `Upnext can listen on the address ${host}.`)]
  } catch (error) {
    return [fail('host', (explainListenError(error, { host, port: 0, setting: 'PORT' }) as Error).message)]
  } finally {
    server.close()
  }
}
