import { type Logger, LogLevel, WebAPIPlatformError, WebClient } from '@slack/web-api'
import { expect } from 'vitest'

/** The SDK writes every refusal to the console, and here most calls are to be refused. */
const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => LogLevel.ERROR,
}

/** Slack's own client, which says at once what it was answered. */
export const connect = (slackApiUrl: string, token?: string): WebClient =>
  new WebClient(token, {
    slackApiUrl,
    logger: silent,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  })

type Refusal = WebAPIPlatformError['data'] & { errors?: string[]; needed?: string; provided?: string }

/** What Slack says as it refuses; a call that goes through fails the test. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const outcome: unknown = await call.catch((error: unknown) => error)
  if (outcome instanceof WebAPIPlatformError) return outcome.data
  throw outcome instanceof Error
    ? outcome
    : new Error(`went through: ${JSON.stringify(outcome).slice(0, 300)}`)
}

export async function expectRefusal(call: Promise<unknown>, error: string): Promise<void> {
  expect((await refusalOf(call)).error).toBe(error)
}

type Listing = { method: string; args?: Record<string, unknown>; items: string }

/** All pages of a list, each with its items, found by the SDK's own way of going through them. */
export async function pagesOf<Item>(client: WebClient, { method, args, items }: Listing): Promise<Item[][]> {
  const pages: Item[][] = []
  // The SDK writes the cursor into the arguments that it was given.
  for await (const page of client.paginate(method, { ...args })) pages.push(Object(page)[items])
  return pages
}
