import { afterEach, expect, it } from 'vitest'
import { openUpnext, type Upnext } from './workspace.ts'

const USER_MESSAGE = "That's more than Upnext can do for you in a minute. Wait a moment and try again."
const WORKSPACE_MESSAGE = 'Upnext is very busy in this workspace. Wait a minute and try again.'

let upnext: Upnext
afterEach(() => upnext.close())

it('A user who sends too many commands waits for a minute, and others do not', async () => {
  upnext = await openUpnext({ disableRateLimits: true, actionLimits: { perUser: 2, perWorkspace: 0 } })
  const [mara, yuki] = [upnext.person('mara'), upnext.person('yuki')]
  await mara.runAndHear('/upnext', 'Nothing is scheduled')
  await mara.runAndHear('/upnext', 'Nothing is scheduled')
  await mara.runAndHear('/upnext', USER_MESSAGE)
  await yuki.runAndHear('/upnext', 'Nothing is scheduled')
  upnext.wait({ minutes: 1 })
  await mara.runAndHear('/upnext', 'Nothing is scheduled')
})

it('A workspace that sends too many commands waits for a minute', async () => {
  upnext = await openUpnext({ disableRateLimits: true, actionLimits: { perUser: 0, perWorkspace: 1 } })
  const [mara, yuki] = [upnext.person('mara'), upnext.person('yuki')]
  await mara.runAndHear('/upnext', 'Nothing is scheduled')
  await yuki.runAndHear('/upnext', WORKSPACE_MESSAGE)
})

it('A submission beyond the limit keeps what was typed, and goes through later', async () => {
  upnext = await openUpnext({ disableRateLimits: true, actionLimits: { perUser: 1, perWorkspace: 0 } })
  const mara = upnext.person('mara')
  await mara.run('/schedule-post Hello! tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  expect(await mara.submitView({ view: id, values: {} })).toEqual({
    errors: { project: `${USER_MESSAGE} What you typed is still here.` },
  })
  upnext.wait({ minutes: 1 })
  await mara.submitView({ view: id, values: {} })
  await mara.hears('Scheduled in Acme')
})
