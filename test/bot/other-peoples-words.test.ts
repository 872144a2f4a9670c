import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

/** A service that answers some paths with other data. */
const open = async (answers: [path: RegExp, data: unknown][] = []) => {
  upnext = await openUpnext({
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const [, data] = answers.find(([path]) => path.test(new URL(request.url).pathname)) ?? []
        return data === undefined ? fetch(request) : Response.json({ success: true, data })
      },
    },
  })
  mara = upnext.person('mara')
}

describe('whatever is long', () => {
  it.each([
    ['a post of ampersands', '&'.repeat(3000)],
    ['a post of one word', 'x'.repeat(3000)],
  ])('%s is shown, in a message and on the Home', async (_what, Content) => {
    const post = {
      Id: '1',
      Content,
      Platforms: ['X'],
      ScheduleDate: '2027-03-01T09:00:00Z',
      Status: 'SCHEDULED',
    }
    await open([
      [/upnext-post$/, post],
      [/posts$/, Array.from({ length: 50 }, () => post)],
    ])
    await mara.run('/upnext')
    await mara.hears('Up next in Acme')
    await mara.run('/upnext posts')
    await mara.hears('Posts of Acme')
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('The next seven days'))
  })

  it('templates with long words each are listed', async () => {
    const template = { Title: 't'.repeat(300), Content: '<'.repeat(3000), Description: '>'.repeat(1500) }
    await open([[/templates$/, Array.from({ length: 10 }, (_, Id) => ({ Id, ...template }))]])
    await mara.run('/upnext templates')
    await mara.hears('Templates of Acme')
  })

  it('a filter of many words still turns its pages', async () => {
    const log = { Message: `Something ${'long '.repeat(20)}`, CreatedAt: '2026-11-20T09:00:00Z' }
    await open([[/logs$/, Array.from({ length: 12 }, () => log)]])
    await mara.run(`/list-logs ${'long '.repeat(20).trim()}`)
    await mara.hears('More ›')
    await mara.pressLast('logs:more')
    await mara.hears('‹ Back')
  })
})

describe('whatever is empty', () => {
  it('a project without a name has one to be chosen by', async () => {
    await open([[/projects$/, [{ Id: 'p1', Name: '' }]]])
    await mara.run('/schedule-post')
    expect(JSON.stringify(await mara.form('Schedule a post'))).toContain('Project p1')
  })

  it('a home without projects says so', async () => {
    await open([[/projects$/, []]])
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('There is no project yet'))
  })
})

describe('a date without an offset', () => {
  it("is one of the post's own zone, wherever the bot runs, and the days stand in their order", async () => {
    const post = (Id: number, ScheduleDate: string) => ({
      Id,
      Content: `No. ${Id}`,
      Platforms: ['X'],
      ScheduleDate,
      Timezone: 'Asia/Tokyo',
    })
    const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    await open([
      [/upnext-post$/, post(1, `${soon(2)}T18:00:00`)],
      [/posts$/, [post(2, `${soon(4)}T18:00:00`), post(1, `${soon(2)}T18:00:00`)]],
    ])
    await mara.run('/upnext')
    await mara.hears(/18:00 Tokyo \(UTC\+9\).*; 10:00 for you/)
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toMatch(/10:00 No\. 1.*10:00 No\. 2/))
  })
})

describe('what is typed', () => {
  it('is no markup in the answer', async () => {
    await open()
    await mara.run('/upnext <!channel>')
    await mara.hears('There is no `/upnext &lt;!channel&gt;`')
  })

  it.each([
    ['hlep', '`/upnext help`'],
    ['shedule-post', '`/upnext schedule`'],
    ['/invite-user', '`/upnext invite`'],
  ])('%s leads to %s', async (words, guess) => {
    await open()
    await mara.run(`/upnext ${words}`)
    await mara.hears(guess)
  })

  it('behind a command of its own may ask for help', async () => {
    await open()
    await mara.run('/list-logs help')
    await mara.hears('newest first; a word narrows it down')
  })
})

describe('the log', () => {
  it('is searched in what can be read of it', async () => {
    await open([[/logs$/, [{ Message: 'Ran', Level: 'INFO', Secret: 'zebra' }]]])
    await mara.run('/list-logs ran')
    await mara.hears('with "ran" in Acme')
    for (const word of ['message', 'zebra']) {
      await mara.run(`/list-logs ${word}`)
      await mara.hears(`There are no log entries with "${word}" in Acme.`)
    }
  })
})

describe('a message that becomes a post', () => {
  it('is what people read, also where the app is no member', async () => {
    await open()
    const tomas = upnext.person('tomas', 'board')
    const text = 'Tom & Jerry <3 https://acme.example/a?b=1&c=2 with @yuki @here'
    await tomas.sendMessage({ channel: tomas.channel, text })
    const message = { channel: tomas.channel, ts: tomas.lastMessage()?.ts ?? '' }
    upnext.slack.controls.clearAppPayloads()
    await tomas.runShortcut({ callback_id: 'schedule_as_post', message })
    const { id, blocks } = await tomas.form('Schedule a post')
    expect(blocks.find(({ block_id }) => block_id === 'Content')).toMatchObject({
      element: {
        initial_value: expect.stringMatching(
          /^Tom & Jerry <3 https:\/\/acme\.example\/a\?b=1&c=2 with Yuki Arai @here/,
        ),
      },
    })
    await tomas.closeView({ view: id })
    // That there is no way back to it is how the bot knows that it is not in there.
    upnext.slack.controls.clearAppPayloads()
  })
})
