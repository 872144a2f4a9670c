/** "http://127.0.0.1:3000" */
export const formatUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Names the setting, if this is why a server can't listen. */
export function explainListenError(
  error: unknown,
  { port, setting }: { port: number; setting: string },
): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error
  return new Error(
    `Port ${port} is already in use, maybe by another Upnext. Stop it, or set ${setting} to another port.`,
  )
}
