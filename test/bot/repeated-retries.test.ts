import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendWithFate } from '../support/lose-answers.ts'
import {
  BAD_POST,
  MAX_WAIT,
  openPublishingWorkspace,
  type PublishingWorkspace,
} from './publishing-workspace.ts'

let upnext: PublishingWorkspace
/** How many answers to Set Results are lost from now on, as if a proxy restarts. */
let lostAnswers: number
/** Delays the loss of an answer. */
let beforeLoss: () => unknown

beforeEach(async () => {
  lostAnswers = 0
  beforeLoss = () => {}
  upnext = await openPublishingWorkspace({
    respond: async (request) => {
      if (!request.url.endsWith('/results') || lostAnswers === 0) return undefined
      lostAnswers--
      try {
        return await sendWithFate(request, 'answer lost')
      } finally {
        await beforeLoss()
      }
    },
  })
  await upnext.addTelegram()
})
afterEach(() => upnext.close())

async function publishLaunch() {
  await upnext.schedule('Launch day!')
  await upnext.passTo('14:00')
  await upnext.hearOfResults()
}

describe('a retry whose answer is lost', () => {
  it('is confirmed, because it has begun', async () => {
    upnext.telegram.plan(() => BAD_POST)
    await publishLaunch()
    upnext.telegram.plan(() => undefined)
    await upnext.mara.runAndHear('/upnext retry launch', /Try again/)
    lostAnswers = 1
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('Publishing on Telegram (Acme) now')
    await upnext.hearOfResults()
    expect(lostAnswers).toBe(0)
    expect(upnext.telegram.sent).toHaveLength(1)
  })

  it('publishes the post only once more, even if its result is unknown again when the request is repeated', async () => {
    upnext.telegram.plan(() => ({ kind: 'lost' }))
    await publishLaunch()
    const before = upnext.telegram.sent.length
    const isUnknownAgain = async () => {
      const { rows } = await upnext.service.pool.query('select results from service.post')
      expect(upnext.telegram.sent.length).toBeGreaterThan(before)
      expect(rows[0].results).toMatchObject([{ state: 'UNKNOWN' }])
    }
    beforeLoss = () => vi.waitFor(isUnknownAgain, MAX_WAIT)
    await upnext.mara.runAndHear('/upnext retry launch', /Publish again/)
    lostAnswers = 2
    await upnext.mara.pressLast('retry:unknown')
    await upnext.mara.hears('This button is out of date, because the post has changed.')
    await upnext.hearOfResults()
    expect(lostAnswers).toBe(0)
    expect(upnext.telegram.sent).toHaveLength(before + 1)
    await upnext.mara.runAndHear('/upnext retry launch', /Publish again/)
  })
})
