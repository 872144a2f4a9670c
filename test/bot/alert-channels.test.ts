import { WebClient } from '@slack/web-api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BAD_POST, openPublishingWorkspace, type PublishingWorkspace } from './publishing-workspace.ts'

let upnext: PublishingWorkspace
let isDown: (request: Request) => boolean
beforeEach(async () => {
  isDown = () => false
  upnext = await openPublishingWorkspace({
    projects: ['Acme', 'Borealis'],
    respond: (request) => (isDown(request) ? Response.json({}, { status: 503 }) : undefined),
  })
  await upnext.addTelegram()
  await upnext.mara.runAndHear('/upnext use Acme', /linked/)
  await upnext.mara.runAndHear('/upnext alerts here', /turned on alerts/)
  await upnext.settled()
})
afterEach(() => upnext.close())

/** A post that someone scheduled with the API, so it has no author in Slack. */
async function failFromElsewhere(Content: string): Promise<void> {
  upnext.telegram.plan(() => BAD_POST)
  const { token } = await upnext.service.addMember(upnext.project, 'EDITOR')
  const ScheduleDate = new Date(upnext.now().getTime() + 60_000).toISOString()
  const json = { Content, Platforms: ['TELEGRAM'], ScheduleDate, Timezone: 'UTC' }
  const path = `/api/v1/projects/${upnext.project}/posts`
  expect((await upnext.service.request('POST', path, { token, json })).status).toBe(201)
  await upnext.passTime({ minutes: 1.1 })
  await upnext.hearOfResults()
  await upnext.checkOften()
}
const channel = () => upnext.mara.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
const alerts = () => upnext.inChannel().filter((text) => /^\["Acme( \(\d+ posts\))?: Not/.test(text))
const admin = () => upnext.person('tomas')

it('keeps posting alerts in a channel where someone deleted one', async () => {
  await failFromElsewhere('First')
  await upnext.waitFor(() => expect(alerts()).toHaveLength(1))
  const { secrets, apiUrl } = upnext.slack
  const message = upnext.mara.state().messages[channel()]?.find(({ text = '' }) => /^Acme: Not/.test(text))
  const client = new WebClient(secrets.botToken, { slackApiUrl: apiUrl })
  await client.chat.delete({ channel: channel(), ts: message?.ts ?? '' })
  await upnext.waitFor(() => expect(alerts()).toEqual([]))
  await failFromElsewhere('Second')
  await upnext.waitFor(() => expect(alerts().join()).toContain('Second'))
  await upnext.mara.runAndHear('/upnext alerts', /This channel gets alerts about \*Acme\*/)
})

it('turns off alerts in a channel that Upnext was removed from, and sends the missed alert to the admins', async () => {
  await upnext.mara.removeFromChannel({ channel: channel(), user: upnext.slack.botUserId })
  await failFromElsewhere('First')
  await upnext.waitFor(() =>
    expect(upnext.directMessages(admin()).join()).toMatch(
      /no longer gets alerts about Acme\..*\/upnext alerts here.*Not posted in the channel: Not published.*\\n• .*First/,
    ),
  )
  await upnext.mara.runAndHear('/upnext alerts', /This channel gets no alerts/)
})

it.each([
  ['posts an alert after the app came back to the channel', true],
  ['notifies the admins of an alert after the app came back to the workspace, but not to the channel', false],
])('%s', async (_title, isInvited) => {
  await upnext.mara.uninstallApp({})
  await upnext.settled()
  await failFromElsewhere('First')
  await upnext.mara.installApp({})
  if (isInvited) await upnext.mara.inviteToChannel({ channel: channel(), user: upnext.slack.botUserId })
  for (let count = 0; count < 3; count++) {
    await upnext.passTime({ minutes: 6 })
    await upnext.settled()
  }
  const recipients = () => (isInvited ? alerts() : upnext.directMessages(admin()))
  await upnext.waitFor(() => expect(recipients().join()).toContain('First'))
})

it('adds a post that failed while the app was removed to the alert that was there before', async () => {
  await failFromElsewhere('First')
  await upnext.waitFor(() => expect(alerts()).toHaveLength(1))
  await upnext.mara.uninstallApp({})
  await upnext.settled()
  await failFromElsewhere('Second')
  await upnext.mara.installApp({})
  await upnext.mara.inviteToChannel({ channel: channel(), user: upnext.slack.botUserId })
  await upnext.passTime({ minutes: 6 })
  await upnext.settled()
  await upnext.waitFor(() => expect(alerts().join()).toContain('Second'))
})

it('says nothing to admins about a channel whose alerts were turned off', async () => {
  await failFromElsewhere('First')
  await upnext.waitFor(() => expect(alerts()).toHaveLength(1))
  await upnext.mara.runAndHear('/upnext alerts off', /turned off alerts/)
  await upnext.mara.removeFromChannel({ channel: channel(), user: upnext.slack.botUserId })
  await upnext.service.pool.query("update service.post set results = null, status = 'PUBLISHED'")
  await upnext.checkOften()
  await upnext.settled()
  expect(upnext.directMessages(admin()).join()).not.toContain('no longer gets alerts')
})

it('posts no alert after alerts were turned off if Slack failed before', async () => {
  upnext.slack.controls.injectFault({ method: 'chat.postMessage', error: 'internal_error', times: 1000 })
  await failFromElsewhere('First')
  const waiting = () => upnext.service.pool.query('select ts from upnext.alert where is_open')
  await upnext.waitFor(async () => expect((await waiting()).rows).toEqual([{ ts: null }]))
  await upnext.mara.run('/upnext alerts off')
  await upnext.settled()
  upnext.slack.controls.clearFaults()
  upnext.slack.controls.clearAppPayloads()
  await upnext.checkOften()
  expect(alerts()).toEqual([])
})

it('says that alerts end for one project when they begin for another', async () => {
  await upnext.mara.runAndHear('/upnext use Borealis', /linked/)
  await upnext.mara.runAndHear(
    '/upnext alerts here',
    /turned on alerts.*Borealis.*It no longer gets alerts about \*Acme\*\./,
  )
})

it('says that there are no alerts about a project that Upnext has lost access to', async () => {
  await upnext.service.pool.query('delete from service.project_user where project_id = $1', [upnext.project])
  await upnext.passTime({ minutes: 1 })
  await upnext.mara.runAndHear('/upnext alerts', /This channel gets no alerts.*Upnext has no access to it/)
})

it('calls a renamed project by its new name', async () => {
  await upnext.mara.runAndHear('/upnext digest every day at 13:20 Berlin time', /Digests in/)
  // As `npm run service -- project rename` does.
  await upnext.service.pool.query("update service.project set name = 'Zenith' where name = 'Acme'")
  await upnext.passTime({ minutes: 61 })
  await failFromElsewhere('Broken post')
  await upnext.waitFor(() => expect(upnext.inChannel().join()).toMatch(/\["Zenith: Not published/))
  await upnext.mara.runAndHear('/upnext digest now', /Up next in Zenith/)
  await upnext.mara.runAndHear('/upnext digest list', /Digests in[\s\S]*Zenith/)
})

it('says that the service is down instead of that posts cannot be tried again', async () => {
  await failFromElsewhere('One')
  await failFromElsewhere('Two')
  await upnext.waitFor(() => expect(upnext.inChannel().join()).toMatch(/Try all again/))
  isDown = () => true
  await upnext.press('Try all again', /Try all again/)
  await upnext.mara.hears(/Publishing \d|scheduling service/)
  expect(upnext.mara.lastText()).not.toMatch(/Not tried again|Publishing/)
})

it('says how many posts are tried again if the service fails in between', async () => {
  await failFromElsewhere('One')
  await failFromElsewhere('Two')
  await upnext.waitFor(() => expect(upnext.inChannel().join()).toMatch(/Try all again/))
  let changes = 0
  isDown = ({ url }) => /results$/.test(url) && ++changes > 1
  await upnext.press('Try all again', /Try all again/)
  await upnext.mara.hears(/Publishing 1 post now\. The others weren't tried again\. .*scheduling service/)
})

it('says to one person that a channel has no alerts to turn off', async () => {
  await upnext.mara.runAndHear('/upnext alerts off', /turned off alerts/)
  await upnext.mara.runAndHear('/upnext alerts off', /^This channel gets no alerts/)
  expect(upnext.inChannel().filter((text) => /turned off alerts/.test(text))).toHaveLength(1)
})
