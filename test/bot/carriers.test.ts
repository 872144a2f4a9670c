import { afterEach, describe, expect, it, vi } from 'vitest'
import { startHttpServer } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const shown = (member: Member) => JSON.stringify(member.state().views.at(-1)?.blocks)
const published = async () => {
  const { rows } = await upnext.service.pool.query('select content from service.post')
  return rows.map(({ content }) => content)
}

describe.each([
  ['in Socket Mode', false],
  ['over HTTP', true],
])('%s', (_mode, overHttp) => {
  const open = async (api: { fetch?: typeof fetch } = {}) => {
    upnext = await openUpnext({ overHttp, api })
    return upnext.person('mara')
  }

  it('a command, a form, a refusal, a button and the Home all arrive', async () => {
    const mara = await open()
    expect(await mara.run('/schedule-post Launch day! tomorrow 9am on X')).toEqual({ done: true })
    const { id } = await mara.form('Schedule a post')
    expect(await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: 'yesterday 9am' }) })).toEqual(
      {
        errors: { ScheduleDate: expect.stringContaining('That time is in the past.') },
      },
    )
    const typed = mara.fill({ ScheduleDate: 'tomorrow 9am' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
    await mara.run('/upnext')
    await mara.hears(/Up next in Acme[\s\S]*Launch day!/)
    await mara.pressLast('schedule:open')
    await mara.form('Schedule a post')
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('Launch day!'))
  })

  it('is in time, however long the service takes', async () => {
    const late = await startHttpServer((_, response) => setTimeout(() => response.end('{}'), 5000))
    const mara = await open({
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return fetch(request.method === 'POST' ? new Request(late.url, request) : request)
      },
    })
    await mara.run('/schedule-post Launch day! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ done: true })
    expect(shown(mara)).toContain('Saved, and on its way.')
    await late.close()
  })

  it('two people at once each get their own', async () => {
    const mara = await open()
    const people = [mara, upnext.person('yuki')]
    await Promise.all(
      people.map(async (person, index) => {
        await person.run(`/schedule-post Launch ${index}! tomorrow 9am on X`)
        const { id } = await person.form('Schedule a post')
        expect(await person.submitView({ view: id, values: {} })).toEqual({ done: true })
        await person.hears(`Launch ${index}!`)
      }),
    )
    expect((await published()).sort()).toEqual(['Launch 0!', 'Launch 1!'])
  })

  it('a double click schedules once', async () => {
    const mara = await open()
    await mara.run('/schedule-post Launch day! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    await Promise.allSettled([
      mara.submitView({ view: id, values: {} }),
      mara.submitView({ view: id, values: {} }),
    ])
    await mara.hears('Scheduled in Acme')
    expect(await published()).toEqual(['Launch day!'])
  })
})
