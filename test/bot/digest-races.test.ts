import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { type DigestWorkspace, openDigestWorkspace } from './digest-workspace.ts'

let upnext: DigestWorkspace
let mara: DigestWorkspace['mara']
/** Holds the next call of this method back, before it reaches Slack or after Slack has answered. */
let hold: { method: string; after?: boolean; until: Promise<void>; reached: () => void } | undefined
const realFetch = systemRuntime.fetch

beforeEach(async () => {
  hold = undefined
  systemRuntime.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const held = hold
    if (held && url.endsWith(held.method)) {
      hold = undefined
      held.reached()
      if (!held.after) {
        await held.until
        return realFetch(input, init)
      }
      const response = await realFetch(input, init)
      await held.until
      return response
    }
    return realFetch(input, init)
  }
  upnext = await openDigestWorkspace()
  mara = upnext.mara
})
afterEach(async () => {
  systemRuntime.fetch = realFetch
  await upnext.close()
})

function holdNext(method: string, after = false) {
  let release = () => {}
  let reached = () => {}
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  const isReached = new Promise<void>((resolve) => {
    reached = resolve
  })
  hold = { method, until, reached, after }
  return { release, isReached }
}

const passMinutes = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) {
    upnext.advance(1)
    await upnext.settled()
  }
}
const rows = async () =>
  (
    await upnext.service.pool.query(
      'select channel_id, paused_reason, next_at, post_at, recurrence from upnext.digest',
    )
  ).rows

it('posts a digest in its new channel although Slack rejected it in the old one at the same moment', async () => {
  await upnext.setUpDigest(40)
  const other = mara.state().channels.find(({ name }) => name === 'general')
  await mara.inviteToChannel({ channel: other?.id ?? '', user: upnext.slack.botUserId })
  await mara.removeFromChannel({ channel: mara.channel, user: upnext.slack.botUserId })
  const held = holdNext('chat.scheduleMessage', true)
  upnext.advance(26)
  await held.isReached
  // Before Slack answers, its owner chooses another channel.
  await mara.run('/upnext digest list')
  await mara.hears(/Acme/)
  await mara.pressLast('digest:edit')
  const { id } = await mara.form('Channel digest')
  await mara.submitView({ view: id, values: mara.fill({ channel_id: other?.id ?? '' }) })
  held.release()
  await upnext.settled()
  await passMinutes(20)
  expect((await rows())[0].paused_reason).toBe(null)
})

it('uses the new times of a digest that is resumed while someone changes it', async () => {
  await upnext.setUpDigest(40)
  await mara.removeFromChannel({ channel: mara.channel, user: upnext.slack.botUserId })
  await passMinutes(27)
  expect((await rows())[0].paused_reason).toBe('not_in_channel')
  await mara.inviteToChannel({ channel: mara.channel, user: upnext.slack.botUserId })
  await mara.run('/upnext digest list')
  await mara.hears('Digests in')
  // Mara resumes it, and Slack answers late. Before that, she changes its time in another window.
  const held = holdNext('chat.postMessage')
  const pressed = mara.pressLast('digest:resume')
  await held.isReached
  const { id } = await upnext.editDigest()
  const wanted = upnext.timeIn(120)
  expect(
    await mara.submitView({ view: id, values: mara.fill({ recurrence: `every day at ${wanted}` }) }),
  ).toEqual({ done: true })
  await upnext.settled()
  const changed = await rows()
  held.release()
  await pressed
  await upnext.settled()
  expect((await rows())[0].next_at).toEqual(changed[0].next_at)
})

it('rejects the second of two simultaneous edits with an explanation', async () => {
  await upnext.setUpDigest(600)
  const tomas = upnext.person('tomas')
  const { id: own } = await upnext.editDigest()
  await tomas.run('/upnext digest list')
  await tomas.hears('Digests in')
  await tomas.pressLast('digest:edit')
  const { id: other } = await tomas.form('Channel digest')
  await upnext.settled()
  const [mine, theirs] = [upnext.timeIn(120), upnext.timeIn(240)]
  const held = holdNext('conversations.info')
  const saving = mara.submitView({ view: own, values: mara.fill({ recurrence: `every day at ${mine}` }) })
  await held.isReached
  const first = await tomas.submitView({
    view: other,
    values: tomas.fill({ recurrence: `every day at ${theirs}` }),
  })
  held.release()
  const second = await saving
  await upnext.settled()
  expect([first, second]).toContainEqual(
    expect.objectContaining({
      errors: expect.objectContaining({ recurrence: expect.stringMatching(/has changed/) }),
    }),
  )
})
