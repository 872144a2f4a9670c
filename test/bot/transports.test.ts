import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { startHttpServer } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const formText = (member: Member) => JSON.stringify(member.state().views.at(-1)?.blocks)
const listContents = async () => {
  const { rows } = await upnext.service.pool.query('select content from service.post order by content')
  return rows.map(({ content }) => content)
}

describe.each([
  ['in Socket Mode', false],
  ['over HTTP', true],
])('the bot %s', (_mode, overHttp) => {
  const open = async (api: { fetch?: typeof fetch } = {}) => {
    upnext = await openUpnext({ overHttp, api })
    return upnext.person('mara')
  }
  const openForm = async (member: Member, text = 'Launch day!') => {
    expect(await member.run(`/schedule-post ${text} tomorrow 9am on X`)).toEqual({ done: true })
    return (await member.form('Schedule a post')).id
  }

  it('handles a command, a form with errors, a button and the Home tab', async () => {
    const mara = await open()
    const view = await openForm(mara)
    const submitWith = (date: string) => mara.submitView({ view, values: mara.fill({ ScheduleDate: date }) })
    expect(await submitWith('yesterday 9am')).toEqual({
      errors: { ScheduleDate: expect.stringMatching(/pas(t|sed)/) },
    })
    expect(await submitWith('tomorrow 9am')).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
    await mara.run('/upnext')
    await mara.hears(/Up next in Acme[\s\S]*Launch day!/)
    await mara.pressLast('schedule:open')
    await mara.form('Schedule a post')
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('Launch day!'), MAX_WAIT)
  })

  it('keeps a time zone for each user, and a linked project for each channel', async () => {
    upnext = await openUpnext({ overHttp, projects: ['Acme', 'Borealis'] })
    const mara = upnext.person('mara')
    const tomas = upnext.person('tomas', 'general')
    await mara.runAndHear('/upnext zone Lisbon', 'Europe/Lisbon')
    await tomas.runAndHear('/upnext zone Tokyo', 'Asia/Tokyo')
    await mara.runAndHear('/upnext use Acme', 'linked')
    await tomas.runAndHear('/upnext use Borealis', 'linked')
    for (const [member, zone, project] of [
      [mara, 'Lisbon', 'Acme'],
      [tomas, 'Tokyo', 'Borealis'],
    ] as const) {
      const view = await openForm(member)
      expect(formText(member)).toContain(`09:00 ${zone}`)
      await member.submitView({ view, values: member.fill({ ScheduleDate: 'friday 9am' }) })
      await member.hears(new RegExp(`Scheduled in ${project}[\\s\\S]*09:00 ${zone}`))
    }
  })

  it('answers a submission in time, even if the service does not respond', async () => {
    const silentServer = await startHttpServer(() => upnext.endShortDeadlines())
    const mara = await open({
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return systemRuntime.fetch(
          request.method === 'POST' ? new Request(silentServer.url, request) : request,
        )
      },
    })
    const view = await openForm(mara)
    expect(await mara.submitView({ view, values: {} })).toEqual({ done: true })
    expect(formText(mara)).toContain('*Saved.*')
    await silentServer.close()
  })

  it('gives two users who submit simultaneously their own results', async () => {
    const mara = await open()
    await Promise.all(
      [mara, upnext.person('yuki')].map(async (member, index) => {
        const view = await openForm(member, `Launch ${index}!`)
        expect(await member.submitView({ view, values: {} })).toEqual({ done: true })
        await member.hears(`Launch ${index}!`)
      }),
    )
    expect(await listContents()).toEqual(['Launch 0!', 'Launch 1!'])
  })

  it('schedules one post after a double click', async () => {
    const mara = await open()
    const view = await openForm(mara)
    await Promise.allSettled([mara.submitView({ view, values: {} }), mara.submitView({ view, values: {} })])
    await mara.hears('Scheduled in Acme')
    await upnext.settled()
    expect(await listContents()).toEqual(['Launch day!'])
  })
})
