import { type Logger, LogLevel, WebAPIPlatformError, WebClient } from '@slack/web-api'
import { expect } from 'vitest'

/** Without this, the SDK logs every expected error. */
const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => LogLevel.ERROR,
}

/** Creates Slack's own client, without retries. */
export const connect = (slackApiUrl: string, token?: string): WebClient =>
  new WebClient(token, {
    slackApiUrl,
    logger: silent,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  })

type ApiError = WebAPIPlatformError['data'] & { errors?: string[]; needed?: string; provided?: string }

/** Returns the error of a call, which must fail. */
export async function apiErrorOf(call: Promise<unknown>): Promise<ApiError> {
  const outcome: unknown = await call.catch((error: unknown) => error)
  if (outcome instanceof WebAPIPlatformError) return outcome.data
  throw outcome instanceof Error
    ? outcome
    : new Error(`The call succeeded: ${JSON.stringify(outcome).slice(0, 300)}`)
}

export async function expectApiError(call: Promise<unknown>, error: string): Promise<void> {
  expect((await apiErrorOf(call)).error).toBe(error)
}

type Listing = { method: string; args?: Record<string, unknown>; items: string }

/** Lists all pages with the SDK's own pagination. */
export async function pagesOf<Item>(client: WebClient, { method, args, items }: Listing): Promise<Item[][]> {
  const pages: Item[][] = []
  // The SDK writes the cursor into its arguments, hence the copy.
  for await (const page of client.paginate(method, { ...args })) pages.push(Object(page)[items])
  return pages
}
