import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Who PostgreSQL's programs run as: nobody in particular, or, because they refuse root, an account of their own. */
export type Account = { uid: number; gid: number } | undefined

const NAME = 'postgres'

export async function postgresAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined
  return (await find()) ?? (await create())
}

async function find(): Promise<Account> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', NAME]), run('id', ['-g', NAME])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function create(): Promise<Account> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', NAME])
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root, and no account "${NAME}" could be made for it. Start Upnext as another user, or set DATABASE_URL.`,
      { cause },
    )
  }
  return find()
}

/** Whether the account may use the path in that way; a folder of mode 700 above it is enough to say no. */
export async function mayReach(account: Account, path: string, how: 'read' | 'write'): Promise<boolean> {
  if (!account) return true
  try {
    await run('/bin/sh', ['-c', how === 'read' ? 'test -r "$0"' : 'test -w "$0" && test -x "$0"', path], {
      ...account,
      cwd: '/',
    })
    return true
  } catch {
    return false
  }
}
