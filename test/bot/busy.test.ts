import { setTimeout } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { MAX_RUNNING_REQUESTS } from '../../src/bot/slack/running-requests.ts'
import { keepBusy } from '../support/keep-busy.ts'
import { openUpnext } from './workspace.ts'

const BUSY = 'Upnext is very busy right now, so nothing was done. Try again in a minute.'

it('refuses more requests than it can handle in time, unless it only waits, and loses nothing', async () => {
  const upnext = await openUpnext({ relaxTimeouts: true, overHttp: true })
  const mara = upnext.person('mara')
  const yuki = upnext.person('yuki')
  await yuki.run('/schedule-post Launch day! tomorrow 9am on X')
  const { id: view, blocks } = await yuki.form('Schedule a post')
  const [, action_id = ''] =
    /"block_id":"more-options".*?"action_id":"(.*?)"/.exec(JSON.stringify(blocks)) ?? []
  // Slack is slow to open the forms, so all these commands are running.
  upnext.slack.controls.injectFault({ method: 'views.open', delay_ms: 8000, times: MAX_RUNNING_REQUESTS })
  await Promise.all(Array.from({ length: MAX_RUNNING_REQUESTS }, () => mara.run('/invite-user')))
  // Once the process has time, it takes more, although those are still running.
  do {
    await setTimeout(500)
    await yuki.runAndHear('/upnext zone', /Your time zone|very busy/)
  } while (yuki.lastText()?.includes('very busy'))
  const stop = keepBusy()
  await setTimeout(300)

  await yuki.runAndHear('/upnext next', BUSY)
  const refused = await yuki.submitView({ view, values: {} })
  expect(refused).toMatchObject({ errors: { project: BUSY } })
  const pressed = await yuki.dispatchAction({ container: { view }, block_id: 'more-options', action_id })
  expect(JSON.stringify(pressed)).toContain('This app responded with Status Code 503')

  stop()
  // Slack opens the forms, and so ends the commands.
  await vi.waitFor(async () => expect(await yuki.submitView({ view, values: {} })).toEqual({ done: true }), {
    timeout: 60_000,
    interval: 500,
  })
  await vi.waitFor(
    async () => {
      // It may have waited in the outbox.
      upnext.wait({ minutes: 1 })
      const { rows } = await upnext.service.pool.query('select content from service.post')
      expect(rows).toEqual([{ content: 'Launch day!' }])
    },
    { timeout: 60_000, interval: 500 },
  )
  await upnext.close()
})
