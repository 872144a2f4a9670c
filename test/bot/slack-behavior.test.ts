import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
let mara: Member
/** The service's list of projects waits for this. */
let projectsReady: Promise<void>
let createdBodies: Record<string, unknown>[]
beforeEach(async () => {
  projectsReady = Promise.resolve()
  createdBodies = []
  upnext = await openUpnext({
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        if (request.url.endsWith('/projects')) await projectsReady
        if (request.method === 'POST') createdBodies.push(JSON.parse(await request.clone().text()))
        return systemRuntime.fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

/** Returns the function that lets the service answer. */
const holdProjects = () => {
  let release = () => {}
  projectsReady = new Promise((resolve) => {
    release = resolve
  })
  return () => release()
}

const topView = () => mara.state().views.at(-1)
const formText = () => JSON.stringify(topView()?.blocks)
const countCalls = (method: string) =>
  upnext.slack.controls.appPayloads().filter(({ name }) => name === method).length
const inputActionId = (block_id: string) => {
  const blocks: { block_id?: string; element?: { action_id?: string } }[] = topView()?.blocks ?? []
  return blocks.find((block) => block.block_id === block_id)?.element?.action_id
}
const openFormWithoutProjects = async (text = '') => {
  await mara.run(`/schedule-post ${text}`)
  await vi.waitFor(() => expect(formText()).toContain('"block_id":"Content"'), MAX_WAIT)
  return topView()?.id ?? ''
}
const typeDate = (typed: ReturnType<Member['fill']>) => {
  const action_id = inputActionId('ScheduleDate') ?? ''
  return mara.dispatchAction({
    container: { view: topView()?.id ?? '' },
    block_id: 'ScheduleDate',
    action_id,
    value: String(typed.ScheduleDate?.[action_id]),
    values: typed,
  })
}

describe('a form', () => {
  it('stays closed, without a message, if it is closed before its projects are loaded', async () => {
    const releaseProjects = holdProjects()
    const view = await openFormWithoutProjects('Hello! tomorrow 9am on X')
    await mara.closeView({ view })
    releaseProjects()
    await vi.waitFor(() => expect(countCalls('views.update')).toBe(1), MAX_WAIT)
    await upnext.settled()
    expect(mara.state().views).toEqual([])
    expect(mara.lastText()).toBeUndefined()
  })

  it('gets its projects if it is changed before they are loaded', async () => {
    const releaseProjects = holdProjects()
    await openFormWithoutProjects()
    const typed = mara.fill({
      Content: 'My own words',
      ScheduleDate: 'tomorrow 17:45',
      Platforms: ['X'],
    })
    const checking = typeDate(typed)
    releaseProjects()
    await checking
    await mara.form('Schedule a post')
    await upnext.settled()
    expect(formText()).toContain('"text":"Acme"')
    expect(mara.state().views).toHaveLength(1)
    expect(mara.lastText()).toBeUndefined()
  })

  it('gives an input another action id when its value changes, because Slack would keep the old value', async () => {
    await mara.run('/schedule-post on X')
    const { id } = await mara.form('Schedule a post')
    const before = inputActionId('ScheduleDate')
    const typed = mara.fill({ ScheduleDate: 'tomorrow', Content: 'Hello' })
    await typeDate(typed)
    const action_id = 'change:schedule:alternatives:0'
    await vi.waitFor(() => expect(formText()).toContain(action_id), MAX_WAIT)
    expect(inputActionId('ScheduleDate')).toBe(before)
    await mara.dispatchAction({
      container: { view: id },
      block_id: 'alternatives:ScheduleDate',
      action_id,
      values: typed,
    })
    await vi.waitFor(() => expect(formText()).not.toContain(action_id), MAX_WAIT)
    expect(inputActionId('ScheduleDate')).not.toBe(before)
    expect(formText()).toContain('"initial_value":"Hello"')
  })

  it('shows how many characters are left when a platform is selected', async () => {
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
    await vi.waitFor(() => expect(formText()).toContain('X: 275'), MAX_WAIT)
  })

  it('sends nothing with an invalid media link', async () => {
    await mara.run('/schedule-post tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    const typed = mara.fill({ Media: 'ftp://acme.example/a.png' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: { Media: 'Enter a valid link that starts with https://.' },
    })
    expect(createdBodies).toEqual([])
  })

  it('sends both the date and the time zone of its date field', async () => {
    await mara.run('/schedule-post Hello! 1 March 2027 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: {} })
    await mara.hears('Scheduled in Acme')
    expect(createdBodies).toEqual([
      {
        Content: 'Hello!',
        ScheduleDate: '2027-03-01T09:00:00+01:00',
        Timezone: 'Europe/Berlin',
        Platforms: ['X'],
        Status: 'SCHEDULED',
      },
    ])
  })

  it('is answered once, in a direct message, if it was opened without a channel', async () => {
    await mara.runShortcut({ callback_id: 'schedule_post' })
    const { id } = await mara.form('Schedule a post')
    const typed = mara.fill({ Content: 'Hello', ScheduleDate: 'tomorrow 9am', Platforms: ['X'] })
    await mara.submitView({ view: id, values: typed })
    await mara.hears('Scheduled in Acme')
    await upnext.settled()
    expect(countCalls('chat.postMessage')).toBe(1)
    expect(countCalls('chat.postEphemeral')).toBe(0)
  })
})

describe("a user's Slack profile", () => {
  it('is loaded once a minute', async () => {
    for (const [command, answer] of [
      ['/upnext', 'Nothing is scheduled'],
      ['/list-logs', 'No log entries'],
      ['/upnext posts', 'No upcoming posts in Acme'],
    ] as const) {
      await mara.run(command)
      await mara.hears(answer)
    }
    expect(countCalls('users.info')).toBe(1)
  })

  it('is the only call to Slack before the first form opens', async () => {
    await upnext.settled()
    const callsOfStart = upnext.slack.controls.appPayloads().length
    await mara.run('/schedule-post Launch day! tomorrow 9am on X')
    await mara.form('Schedule a post')
    const calls = upnext.slack.controls.appPayloads().map(({ name }) => name)
    expect(calls.slice(callsOfStart, calls.indexOf('views.open'))).toEqual(['users.info'])
  })

  it('is loaded again after Slack failed to return it', async () => {
    upnext.slack.controls.injectFault({ method: 'users.info', error: 'internal_error' })
    await mara.run('/upnext')
    await mara.hears(/Couldn't check with Slack whether you may do this.*\([0-9a-f]{8}\)/)
    await mara.run('/upnext')
    await mara.hears('Nothing is scheduled in Acme')
  })
})

describe('the Home tab', () => {
  it('is published again if it differs from the last published one', async () => {
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(countCalls('views.publish')).toBe(1), MAX_WAIT)
    await upnext.settled()
    await upnext.service.pool.query("update upnext.user_settings set home_hash = 'another'")
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(countCalls('views.publish')).toBe(2), MAX_WAIT)
  })
})

describe('a verb', () => {
  it('can be entered in capitals', async () => {
    await mara.run('/upnext PROJECTS')
    await mara.hears('Acme')
  })
})
