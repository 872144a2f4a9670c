/** The result of one check. Only a failure keeps Upnext from working. */
export type Check = {
  name: string
  status: 'ok' | 'warning' | 'failed'
  /** If there is a problem, the message also says how to solve it. */
  message: string
  details?: string[]
}

const createCheck =
  (status: Check['status']) =>
  (name: string, message: string, details: string[] = []): Check => ({ name, status, message, details })
export const ok = createCheck('ok')
export const warn = createCheck('warning')
export const fail = createCheck('failed')

export const hasFailure = (checks: Check[]): boolean => checks.some(({ status }) => status === 'failed')

const STATUS_WIDTH = 9
const NAME_WIDTH = 15

export const formatCheck = ({ name, status, message, details = [] }: Check): string =>
  [
    status.padEnd(STATUS_WIDTH) + name.padEnd(NAME_WIDTH) + message,
    ...details.map((detail) => ' '.repeat(STATUS_WIDTH + NAME_WIDTH) + detail),
  ].join('\n')
