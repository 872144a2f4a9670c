import { afterEach, expect, it, vi } from 'vitest'
import { openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

const userMessage = (limit: number) =>
  `That was more than ${limit} actions in a minute. Wait a minute and try again.`
const WORKSPACE_MESSAGE = 'Upnext is very busy in this workspace. Wait a minute and try again.'

let upnext: Upnext
afterEach(() => upnext.close())

it('makes a user who sends too many commands wait for a minute, but not others', async () => {
  upnext = await openUpnext({ disableRateLimits: true, actionLimits: { perUser: 2, perWorkspace: 0 } })
  const [mara, yuki] = [upnext.person('mara'), upnext.person('yuki')]
  await mara.runAndHear('/upnext', 'Nothing is scheduled')
  await mara.runAndHear('/upnext', 'Nothing is scheduled')
  await mara.runAndHear('/upnext', userMessage(2))
  await yuki.runAndHear('/upnext', 'Nothing is scheduled')
  upnext.wait({ minutes: 1 })
  await mara.runAndHear('/upnext', 'Nothing is scheduled')
})

it('makes a workspace that sends too many commands wait for a minute', async () => {
  upnext = await openUpnext({ disableRateLimits: true, actionLimits: { perUser: 0, perWorkspace: 1 } })
  const [mara, yuki] = [upnext.person('mara'), upnext.person('yuki')]
  await mara.runAndHear('/upnext', 'Nothing is scheduled')
  await yuki.runAndHear('/upnext', WORKSPACE_MESSAGE)
})

it('keeps what was typed in a submission beyond the limit, and accepts it later', async () => {
  upnext = await openUpnext({ disableRateLimits: true, actionLimits: { perUser: 1, perWorkspace: 0 } })
  const mara = upnext.person('mara')
  await mara.run('/schedule-post Hello! tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  expect(await mara.submitView({ view: id, values: {} })).toEqual({
    errors: { project: `${userMessage(1)} What you typed is still here.` },
  })
  upnext.wait({ minutes: 1 })
  await mara.submitView({ view: id, values: {} })
  await mara.hears('Scheduled in Acme')
})

it('also counts menu searches and field changes as actions', async () => {
  upnext = await openUpnext({ disableRateLimits: true, actionLimits: { perUser: 3, perWorkspace: 0 } })
  const mara = upnext.person('mara')
  await mara.run('/upnext digest')
  const { hash } = await mara.form('Channel digest')
  const tokyo = await mara.pick('zone', 'Tokyo')
  await mara.dispatchAction(tokyo)
  await vi.waitFor(() => expect(mara.state().views.at(-1)?.hash).not.toBe(hash), MAX_WAIT)
  await expect(mara.pick('zone', 'Tokyo')).rejects.toThrow("Couldn't load this list")
  await mara.dispatchAction(tokyo)
  await vi.waitFor(
    () => expect(JSON.stringify(mara.state().views.at(-1))).toContain(userMessage(3)),
    MAX_WAIT,
  )
})
