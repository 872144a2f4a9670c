/** Longer than nginx (1 min) and Caddy (2 min) keep idle connections, so that none closes as a request arrives. */
export const KEEP_ALIVE_TIMEOUT_MS = 130_000

/** "http://127.0.0.1:3000" */
export const formatUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const UNUSABLE_HOST_CODES = ['EADDRNOTAVAIL', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN']

/** Returns an error that names the setting to change. Returns other errors as they are. */
export function explainListenError(
  error: unknown,
  { host, port, setting }: { host: string; port: number; setting: string },
): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (UNUSABLE_HOST_CODES.includes(code))
    return new Error(
      `This machine doesn't have the address ${host}. Set HOST to one of its addresses, such as 127.0.0.1.`,
    )
  if (code !== 'EADDRINUSE') return error
  return new Error(
    `Port ${port} is already in use, maybe by another instance of Upnext. Stop it, or set ${setting} to another port.`,
  )
}
