import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { openSlack, textsIn } from './open-slack.ts'

/** More calls than any limit lets through at once. */
const PATIENCE = 1000

/** Calls until it is told to wait: how often that went well, and for how many seconds to wait. */
async function callUntilLimited(
  call: () => Promise<unknown>,
): Promise<{ calls: number; retryAfter: number }> {
  for (let calls = 0; calls < PATIENCE; calls++) {
    const outcome: unknown = await call().catch((error: unknown) => error)
    if (outcome instanceof WebAPIRateLimitedError) return { calls, retryAfter: outcome.retryAfter }
    if (outcome instanceof Error && !(outcome instanceof WebAPIPlatformError)) throw outcome
  }
  throw new Error(`${PATIENCE} calls went through`)
}

describe('a limit', () => {
  it('on messages is for each channel, and lets a message through each second', async () => {
    const { client, launch, general, controls: control } = await openSlack()
    const say = (channel: string) => client.chat.postMessage({ channel, text: 'Lamps' })
    const { calls, retryAfter } = await callUntilLimited(() => say(launch))
    expect(calls).toBeGreaterThanOrEqual(1)
    expect(retryAfter).toBe(1)
    expect(await say(general)).toMatchObject({ ok: true })
    control.advanceClock({ seconds: retryAfter })
    expect(await say(launch)).toMatchObject({ ok: true })
    expect((await callUntilLimited(() => say(launch))).calls).toBe(0)
  })

  it('on messages lets nothing through while it holds', async () => {
    const slack = await openSlack()
    const { launch } = slack
    const say = () => slack.client.chat.postMessage({ channel: launch, text: 'Lamps' })
    const { calls } = await callUntilLimited(say)
    expect((await textsIn(slack, launch)).filter((text) => text === 'Lamps')).toHaveLength(calls)
  })

  it('is answered with status 429 and the seconds to wait', async () => {
    const slack = await openSlack()
    const post = () => slack.call('users.list', { body: new URLSearchParams() })
    let answer = await post()
    for (let calls = 0; calls < PATIENCE && answer.status === 200; calls++) answer = await post()
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(answer.body).toEqual({ ok: false, error: 'ratelimited' })
  })

  it.each([
    { tier: 2, aMinute: 20, method: 'users.list' },
    { tier: 3, aMinute: 50, method: 'conversations.info' },
    { tier: 4, aMinute: 100, method: 'users.info' },
  ])('of tier $tier lets $aMinute calls of $method through in a minute', async ({ aMinute, method }) => {
    const { client, controls: control } = await openSlack()
    const call = () => client.apiCall(method)
    const { calls, retryAfter } = await callUntilLimited(call)
    expect(calls).toBeGreaterThanOrEqual(aMinute)
    expect(retryAfter).toBeLessThanOrEqual(60)
    control.advanceClock({ seconds: retryAfter })
    expect((await callUntilLimited(call)).calls).toBeGreaterThanOrEqual(1)
    control.advanceClock({ seconds: 60 })
    expect((await callUntilLimited(call)).calls).toBeGreaterThanOrEqual(aMinute)
  })

  it('on one method leaves the others alone', async () => {
    const { client } = await openSlack()
    await callUntilLimited(() => client.users.list({}))
    expect(await client.conversations.list()).toMatchObject({ ok: true })
  })

  it('there is none on auth.test', async () => {
    const { client } = await openSlack()
    for (let calls = 0; calls < 200; calls++) await client.auth.test()
  })
})
