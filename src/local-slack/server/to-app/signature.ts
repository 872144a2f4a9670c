import { createHmac } from 'node:crypto'

/** The headers by which the app knows that a request is Slack's. */
export function signatureHeaders(body: string, signingSecret: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const hash = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` }
}
