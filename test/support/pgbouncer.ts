import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { ensureAccount } from '../../src/database/postgres-installation.ts'
import { waitUntil } from './clock.ts'
import { findFreePort, type TestServer } from './servers.ts'
import { createTempFolder } from './temp-folder.ts'

/** The PgBouncer of the system. Debian installs it where only root's PATH leads. */
export const pgBouncerPath: string | undefined = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path))

export const WITHOUT_PGBOUNCER =
  'The tests with PgBouncer are skipped because it is missing. Install it (apt-get install pgbouncer) and run the tests again.'

/** Starts PgBouncer in front of the server at `url`. Further settings are lines of its configuration. */
export async function startPgBouncer(url: string, ...settings: string[]): Promise<TestServer> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = await createTempFolder('upnext-pgbouncer-')
  const file = join(folder, 'pgbouncer.ini')
  const ownPort = await findFreePort()
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
${settings.join('\n')}
`,
  )
  await chmod(file, 0o644)
  // PgBouncer doesn't run as root.
  const program = spawn(pgBouncerPath ?? '', ['--quiet', file], {
    ...(await ensureAccount()),
    stdio: 'ignore',
  })
  await waitUntil(() => acceptsConnections(ownPort))
  return {
    url: `postgresql://anyone@127.0.0.1:${ownPort}${pathname}`,
    async close() {
      program.kill('SIGKILL')
      await once(program, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
