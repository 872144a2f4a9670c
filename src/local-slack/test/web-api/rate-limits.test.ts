import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { openSlack, textsIn } from './open-slack.ts'

/** More calls than any limit allows. */
const MAX_CALLS = 1000

/** Calls until the limit is exceeded. Returns the number of calls and the seconds to wait. */
async function callUntilLimited(
  call: () => Promise<unknown>,
): Promise<{ calls: number; retryAfter: number }> {
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const outcome: unknown = await call().catch((error: unknown) => error)
    if (outcome instanceof WebAPIRateLimitedError) return { calls, retryAfter: outcome.retryAfter }
    if (outcome instanceof Error && !(outcome instanceof WebAPIPlatformError)) throw outcome
  }
  throw new Error(`${MAX_CALLS} calls were not limited`)
}

describe('rate limits', () => {
  it('allows one message per second and channel after a burst', async () => {
    const { client, launch, general, controls } = await openSlack()
    const post = (channel: string) => client.chat.postMessage({ channel, text: 'Lamps' })
    const { calls, retryAfter } = await callUntilLimited(() => post(launch))
    expect(calls).toBeGreaterThanOrEqual(1)
    expect(retryAfter).toBe(1)
    expect(await post(general)).toMatchObject({ ok: true })
    controls.advanceClock({ seconds: retryAfter })
    expect(await post(launch)).toMatchObject({ ok: true })
    expect((await callUntilLimited(() => post(launch))).calls).toBe(0)
  })

  it('rejects every message while the limit is exceeded', async () => {
    const slack = await openSlack()
    const { launch } = slack
    const post = () => slack.client.chat.postMessage({ channel: launch, text: 'Lamps' })
    const { calls } = await callUntilLimited(post)
    expect((await textsIn(slack, launch)).filter((text) => text === 'Lamps')).toHaveLength(calls)
  })

  it('returns status 429 and Retry-After', async () => {
    const slack = await openSlack()
    const post = () => slack.call('users.list', { body: new URLSearchParams() })
    let answer = await post()
    for (let calls = 0; calls < MAX_CALLS && answer.status === 200; calls++) answer = await post()
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(answer.body).toEqual({ ok: false, error: 'ratelimited' })
  })

  it.each([
    { tier: 2, perMinute: 20, method: 'users.list' },
    { tier: 3, perMinute: 50, method: 'conversations.info' },
    { tier: 4, perMinute: 100, method: 'users.info' },
  ])('allows $perMinute calls of $method per minute (tier $tier)', async ({ perMinute, method }) => {
    const { client, controls } = await openSlack()
    const call = () => client.apiCall(method)
    const { calls, retryAfter } = await callUntilLimited(call)
    expect(calls).toBeGreaterThanOrEqual(perMinute)
    expect(retryAfter).toBeLessThanOrEqual(60)
    controls.advanceClock({ seconds: retryAfter })
    expect((await callUntilLimited(call)).calls).toBeGreaterThanOrEqual(1)
    controls.advanceClock({ seconds: 60 })
    expect((await callUntilLimited(call)).calls).toBeGreaterThanOrEqual(perMinute)
  })

  it('limits each method separately', async () => {
    const { client } = await openSlack()
    await callUntilLimited(() => client.users.list({}))
    expect(await client.conversations.list()).toMatchObject({ ok: true })
  })

  it('does not limit auth.test', async () => {
    const { client } = await openSlack()
    for (let calls = 0; calls < 200; calls++) await client.auth.test()
  })
})
