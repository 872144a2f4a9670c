import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
/** Payloads for some paths, in place of the service's own. */
let payloads: [path: RegExp, data: unknown][] = []
beforeAll(async () => {
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const payload = payloads.find(([path]) => path.test(new URL(request.url).pathname))
        return payload ? Response.json({ success: true, data: payload[1] }) : systemRuntime.fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
})
afterEach(async () => {
  payloads = []
  for (const { id } of mara.state().views) await mara.closeView({ view: id })
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const homeText = () => JSON.stringify(mara.state().home)

/** Opens the Home tab and waits until it shows what these payloads contain. */
async function homeShows(text: string | RegExp) {
  await mara.openAppTab({ tab: 'home' })
  await vi.waitFor(() => expect(homeText()).toMatch(text), { timeout: 60_000 })
}

describe('long text', () => {
  it.each([
    ['ampersands', '&'],
    ['one word', 'x'],
  ])('is shown in messages and on the Home tab if it consists of %s', async (_kind, character) => {
    const post = {
      Id: '1',
      Content: character.repeat(3000),
      Platforms: ['X'],
      ScheduleDate: '2027-03-01T09:00:00Z',
      Status: 'SCHEDULED',
    }
    payloads = [
      [/upnext-post$/, post],
      [/posts$/, Array.from({ length: 50 }, () => post)],
    ]
    await mara.run('/upnext')
    await mara.hears(new RegExp(`Up next in Acme[\\s\\S]*${character}{500}`))
    await mara.run('/upnext posts')
    await mara.hears(new RegExp(`Upcoming posts in Acme[\\s\\S]*${character}{500}`))
    await homeShows(new RegExp(`${character}{500}`))
  })

  it('is shortened in the list of templates', async () => {
    const template = { Title: 't'.repeat(300), Content: '<'.repeat(3000), Description: '>'.repeat(1500) }
    payloads = [[/templates$/, Array.from({ length: 10 }, (_, Id) => ({ Id, ...template }))]]
    await mara.run('/upnext templates')
    await mara.hears('Templates in Acme')
  })

  it('is kept as a filter for the next page', async () => {
    const log = { Message: `Something ${'long '.repeat(20)}`, CreatedAt: '2026-11-20T09:00:00Z' }
    payloads = [[/logs$/, Array.from({ length: 12 }, () => log)]]
    await mara.run(`/list-logs ${'long '.repeat(20).trim()}`)
    await mara.hears(/Activity log[\s\S]*More ›/)
    await mara.pressLast('logs:more')
    await mara.hears(/Activity log[\s\S]*‹ Back/)
  })
})

describe('the empty name of a project', () => {
  it('is replaced by the id', async () => {
    payloads = [[/projects$/, [{ Id: 'p1', Name: '' }]]]
    // Until then, the form uses the projects that were just loaded.
    upnext.wait({ minutes: 1 })
    await mara.run('/schedule-post')
    const formText = () => JSON.stringify(mara.state().views.at(-1))
    await vi.waitFor(() => expect(formText()).toContain('Project p1'), { timeout: 60_000 })
  })
})

describe('an empty list of projects', () => {
  it('is explained on the Home tab', async () => {
    payloads = [[/projects$/, []]]
    await homeShows("Upnext can't see any projects")
  })
})

describe('a post whose time has passed', () => {
  const post = (Id: number, day: string) => ({
    Id,
    Content: `No. ${Id}`,
    Platforms: ['X'],
    ScheduleDate: `${day}T18:00:00Z`,
    Status: 'SCHEDULED',
  })
  const OVERDUE = /Overdue.*No\. 1.*overdue.*hasn't published this post yet/

  it('is shown as overdue, above the post that goes out next', async () => {
    payloads = [
      [/upnext-post$/, post(1, '2026-11-18')],
      [/posts$/, [post(1, '2026-11-18'), post(2, '2026-11-24')]],
    ]
    const shown = new RegExp(`${OVERDUE.source}.*Up next.*No\\. 2`, 's')
    await mara.runAndHear('/upnext', shown)
    await homeShows(new RegExp(`${shown.source}.*Next 7 days.*No\\. 2`, 's'))
    await mara.runAndHear(
      '/upnext digest now',
      new RegExp(`Up next in Acme.*${shown.source}.*Coming days[^•]*• [^•]*No\\. 2`, 's'),
    )
    await mara.runAndHear('/upnext posts', /posts in Acme.*No\. 1.*overdue.*No\. 2/s)
  })

  it('is not shown as next, even if nothing else is scheduled', async () => {
    payloads = [
      [/upnext-post$/, post(1, '2026-11-18')],
      [/posts$/, [post(1, '2026-11-18')]],
    ]
    const shown = new RegExp(`${OVERDUE.source}.*Nothing else is scheduled`, 's')
    await mara.runAndHear('/upnext', shown)
    await homeShows(shown)
  })

  it('is still next after a minute, because it is being published', async () => {
    const dueNow = { ...post(1, ''), ScheduleDate: new Date(upnext.now().getTime() - 60_000).toISOString() }
    payloads = [[/upnext-post$/, dueNow]]
    await mara.runAndHear('/upnext', /^Up next in Acme(?!.*overdue).*No\. 1/is)
  })
})

describe('ids and lists that are too long for Slack', () => {
  const Id = 'i'.repeat(3000)

  it('shows a post with an id of 3,000 characters and 300 platforms', async () => {
    const Platforms = Array.from({ length: 300 }, (_, index) => `Network ${index}`)
    const post = { Id, Content: 'Hi', Platforms, ScheduleDate: '2026-11-24T18:00:00Z', Status: 'SCHEDULED' }
    payloads = [
      [/upnext-post$/, post],
      [/posts$/, [post]],
      [/logs$/, [{ Id, Message: 'Ran' }]],
    ]
    const shown = /Network 0.*Network 9 and 290 more/s
    for (const command of ['/upnext', '/upnext posts', '/upnext digest now'])
      await mara.runAndHear(command, shown)
    await homeShows(shown)
    await mara.runAndHear('/list-logs', 'Ran')
  })

  it('offers no project, template or source with an id of 3,000 characters', async () => {
    payloads = [[/(templates|sources)$/, [{ Id, Name: 'One', Content: 'x' }]]]
    await mara.run('/update-source')
    const form = await mara.form('Update a source')
    expect(JSON.stringify(form)).not.toContain('iii')
    await mara.runAndHear('/upnext templates', /One/)
    payloads = [[/projects$/, [{ Id, Name: 'Acme' }]]]
    await mara.runAndHear('/upnext', "Upnext can't see any projects")
  })
})

describe('a date without an offset', () => {
  it("is read in the post's own time zone", async () => {
    const post = (Id: number, day: string) => ({
      Id,
      Content: `No. ${Id}`,
      Platforms: ['X'],
      ScheduleDate: `${day}T18:00:00`,
      Timezone: 'Asia/Tokyo',
    })
    payloads = [
      [/upnext-post$/, post(1, '2026-11-22')],
      [/posts$/, [post(2, '2026-11-24'), post(1, '2026-11-22')]],
    ]
    await mara.run('/upnext')
    await mara.hears(/18:00 Tokyo, .*; 10:00 for you/)
    await homeShows(/No\. 1.*10:00 for you.*No\. 2.*10:00 for you/s)
  })
})

describe('an unknown command', () => {
  it('is repeated literally, not as markup', async () => {
    await mara.run('/upnext <!channel>')
    await mara.hears("`/upnext &lt;!channel&gt;` doesn't exist.")
  })

  it.each([
    ['hlep', '`/upnext help`'],
    ['shedule-post', '`/upnext schedule`'],
    ['/invite-user', '`/upnext invite`'],
  ])('answers "%s" with the suggestion %s', async (typed, suggestion) => {
    await mara.run(`/upnext ${typed}`)
    await mara.hears(`Did you mean ${suggestion}`)
  })
})

describe('a command followed by "help"', () => {
  it('explains itself', async () => {
    await mara.run('/list-logs help')
    await mara.hears('Show the activity log, newest first. Add a word to filter it.')
  })
})

describe('a filter of the activity log', () => {
  it('matches only text that the log shows', async () => {
    payloads = [[/logs$/, [{ Message: 'Ran', Level: 'INFO', Secret: 'zebra' }]]]
    await mara.run('/list-logs ran')
    await mara.hears('Activity log for Acme matching "ran"')
    for (const word of ['message', 'zebra']) {
      await mara.run(`/list-logs ${word}`)
      await mara.hears(`No log entries in Acme matching "${word}".`)
    }
  })
})

describe('the message shortcut', () => {
  it("fills in the message's text in any channel, without markup", async () => {
    const tomas = upnext.person('tomas', 'board')
    const text = 'Tom & Jerry <3 https://acme.example/a?b=1&c=2 with @yuki @here'
    await tomas.sendMessage({ channel: tomas.channel, text })
    const message = { channel: tomas.channel, ts: tomas.lastMessage()?.ts ?? '' }
    await tomas.runShortcut({ callback_id: 'schedule_as_post', message })
    const { id, blocks } = await tomas.form('Schedule a post')
    expect(blocks.find(({ block_id }) => block_id === 'Content')).toMatchObject({
      element: {
        initial_value: 'Tom & Jerry <3 https://acme.example/a?b=1&c=2 with Yuki Arai here',
      },
    })
    await tomas.closeView({ view: id })
  })
})
