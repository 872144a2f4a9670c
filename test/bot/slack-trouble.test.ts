import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
/** How long the service takes to say which projects there are. */
let projectsMs = 0
let posted: Record<string, unknown>[] = []
beforeEach(async () => {
  projectsMs = 0
  posted = []
  upnext = await openUpnext({
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        if (request.url.endsWith('/projects')) await new Promise((resolve) => setTimeout(resolve, projectsMs))
        if (request.method === 'POST') posted.push(JSON.parse(await request.clone().text()))
        return fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

const shown = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
const calls = (method: string) =>
  upnext.slack.controls.appPayloads().filter(({ name }) => name === method).length
const blockOf = (block_id: string) =>
  Object(
    mara
      .state()
      .views.at(-1)
      ?.blocks.find((one) => one.block_id === block_id),
  )
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a form that is closed before it is filled in', () => {
  it('stays closed, and nobody is told of it', async () => {
    projectsMs = 700
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    await vi.waitFor(() => expect(mara.state().views).toHaveLength(1))
    await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
    await vi.waitFor(() => expect(calls('views.update')).toBe(1))
    await moment(300)
    expect(mara.state().views).toEqual([])
    expect(mara.told()).toBeUndefined()
  })
})

describe('a form in which somebody types before it is filled in', () => {
  it('has its projects all the same', async () => {
    projectsMs = 700
    await mara.run('/schedule-post')
    await vi.waitFor(() => expect(mara.state().views).toHaveLength(1))
    const view = mara.state().views.at(-1)?.id ?? ''
    const typed = mara.fill({ Content: 'My own words', ScheduleDate: 'tomorrow 17:45', Platforms: ['X'] })
    const action_id = 'chosen:schedule:check:ScheduleDate'
    await mara.dispatchAction({
      container: { view },
      block_id: 'note:ScheduleDate',
      action_id,
      values: typed,
    })
    await mara.form('Schedule a post')
    await moment(900)
    // Whichever came first: the form is whole, and once.
    expect(shown()).toContain('"text":"Acme"')
    expect(mara.state().views).toHaveLength(1)
    expect(mara.told()).toBeUndefined()
  })
})

describe('what is put into fields', () => {
  it('goes under another name, or Slack would keep what stood there', async () => {
    await mara.run('/schedule-post on X')
    await mara.form('Schedule a post')
    const before = blockOf('ScheduleDate').element.action_id
    const typed = mara.fill({ ScheduleDate: 'tomorrow', Content: 'Hello' })
    const [view = ''] = [mara.state().views.at(-1)?.id]
    await mara.dispatchAction({
      container: { view },
      block_id: 'note:ScheduleDate',
      action_id: 'chosen:schedule:check:ScheduleDate',
      values: typed,
    })
    await vi.waitFor(() => expect(shown()).toContain('Write it as'))
    expect(blockOf('ScheduleDate').element.action_id).toBe(before)
    await mara.dispatchAction({
      container: { view },
      block_id: 'instead:ScheduleDate',
      action_id: 'chosen:schedule:instead:0',
      values: typed,
    })
    await vi.waitFor(() => expect(shown()).not.toContain('Write it as'))
    expect(blockOf('ScheduleDate').element.action_id).not.toBe(before)
    expect(shown()).toContain('"initial_value":"Hello"')
  })

  it('platforms say at once what they leave', async () => {
    await mara.run('/schedule-post')
    const { id } = await mara.form('Schedule a post')
    const typed = mara.fill({ Content: 'Hello', Platforms: ['X'] })
    const [action_id = ''] = Object.keys(typed.Platforms ?? {})
    await mara.dispatchAction({
      container: { view: id },
      block_id: 'Platforms',
      action_id,
      value: ['X'],
      values: typed,
    })
    await vi.waitFor(() => expect(shown()).toContain('X: 275 of 280 characters left'))
  })
})

describe('what Slack says of a person', () => {
  it('is asked for once in a minute', async () => {
    for (const [command, answer] of [
      ['/upnext', 'Nothing is scheduled'],
      ['/list-logs', 'no log entries'],
      ['/upnext posts', 'There are no posts of Acme'],
    ] as const) {
      await mara.run(command)
      await mara.hears(answer)
    }
    expect(calls('users.info')).toBe(1)
  })

  it('is asked for again where it could not be had', async () => {
    upnext.slack.controls.injectFault({ method: 'users.info', error: 'internal_error' })
    await mara.run('/upnext')
    await mara.hears('Something went wrong')
    await mara.run('/upnext')
    await mara.hears('Nothing is scheduled in Acme')
  })
})

describe('a person whom Slack lets nobody tell where they asked', () => {
  it('is told in a message, once', async () => {
    await mara.runShortcut({ callback_id: 'schedule_post' })
    const { id } = await mara.form('Schedule a post')
    const typed = mara.fill({ Content: 'Hello', ScheduleDate: 'tomorrow 9am', Platforms: ['X'] })
    await mara.submitView({ view: id, values: typed })
    await mara.hears('Scheduled in Acme')
    expect(calls('chat.postMessage')).toBe(1)
    expect(calls('chat.postEphemeral')).toBe(0)
  })
})

describe('a Home that Slack has lost', () => {
  it('is made anew, though nothing has changed', async () => {
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(calls('views.publish')).toBe(1))
    await upnext.service.pool.query("update upnext.person_home set shown = 'something else'")
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(calls('views.publish')).toBe(2))
  })
})

describe('what is sent', () => {
  it('is nothing where the address of the media is none', async () => {
    await mara.run('/schedule-post tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    const typed = mara.fill({ Media: 'ftp://acme.example/a.png' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: { Media: 'This is no address. Write one that begins with https://.' },
    })
    expect(posted).toEqual([])
  })

  it('has both of the names that When stands for', async () => {
    await mara.run('/schedule-post Hello! 1 March 2027 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: {} })
    await mara.hears('Scheduled in Acme')
    expect(posted).toEqual([
      {
        Content: 'Hello!',
        ScheduleDate: '2027-03-01T09:00:00+01:00',
        Timezone: 'Europe/Berlin',
        Platforms: ['X'],
        Status: 'SCHEDULED',
      },
    ])
  })
})

describe('verbs', () => {
  it('may be written in capitals', async () => {
    await mara.run('/upnext PROJECTS')
    await mara.hears('Acme')
  })
})
