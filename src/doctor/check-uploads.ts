import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'
import { type Check, ok, warn } from './check.ts'

const TIMEOUT_MS = 10_000

/** Whether the scheduling service and the platforms can fetch uploaded files. */
export async function checkUploads(
  { PUBLIC_URL, API_BASE_URL }: Config,
  { nodeFetch }: Pick<Runtime, 'nodeFetch'>,
): Promise<Check[]> {
  if (!PUBLIC_URL && API_BASE_URL)
    return [warn('uploads', "People can't upload images or videos. To allow uploads, set PUBLIC_URL.")]
  if (!PUBLIC_URL)
    return [ok('uploads', 'Only this machine can fetch uploads. To let others fetch them, set PUBLIC_URL.')]
  const response = await nodeFetch(`${PUBLIC_URL}/healthz`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined)
  const health: unknown = await response?.json().catch(() => undefined)
  const isUpnext = response?.ok && (health as { status?: unknown } | undefined)?.status === 'ok'
  return isUpnext
    ? [ok('uploads', `Upnext answers at ${PUBLIC_URL}.`)]
    : [
        warn(
          'uploads',
          `Upnext doesn't answer at ${PUBLIC_URL}. Start it, and check that this address points to the port in PORT.`,
        ),
      ]
}
