import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertTemplate } from '../../src/service/stores/prompts-templates-sources-store.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterAll(async () => {
  const problems = upnext.slack.controls.appPayloads().flatMap((call) => call.problems)
  // Of two versions of a Home tab, the later one stays.
  expect(problems.filter((problem) => problem !== 'hash_conflict')).toEqual([])
  await upnext.close()
})

const MAX_WAIT = { timeout: 60_000 }

const schedule = async (text: string) => {
  await mara.run(`/schedule-post ${text}`)
  const view = await mara.form('Schedule a post')
  expect(await mara.submitView({ view: view.id, values: {} })).toEqual({ done: true })
  const [content = ''] = text.split('!')
  await mara.hears(new RegExp(`Scheduled in Acme[\\s\\S]*${content}`))
}

const closeForm = async (title: string) => {
  const { id } = await mara.form(title)
  await mara.closeView({ view: id })
}

const homeText = (member: Member) => JSON.stringify(member.state().home?.blocks)

/** Presses a button of the Home tab, or chooses an option of a menu there. The tab may just be replaced by a newer one. */
const pressOnHome = (member: Member, action_id: string, chosen?: string) =>
  vi.waitFor(async () => {
    const target = member.findOnHome(action_id)
    // Slack only accepts an option that the app has offered.
    if (chosen) await member.loadOptions({ ...target, query: chosen })
    const pressed = await member.dispatchAction({ ...target, ...(chosen && { value: chosen }) })
    expect(pressed).toEqual({ done: true })
  }, MAX_WAIT)

describe('/upnext posts', () => {
  beforeAll(async () => {
    for (const number of [1, 2, 3, 4, 5, 6])
      await schedule(`Post number ${number}! in ${number} days at 9am on LinkedIn`)
    await schedule('For the birds! tomorrow 5pm on X')
  })

  it('lists posts page by page', async () => {
    await mara.run('/upnext posts linkedin')
    await mara.hears(/Upcoming posts in Acme matching "linkedin"[\s\S]*Post number 1[\s\S]*Post number 5/)
    expect(mara.lastText()).not.toContain('Post number 6')
    await mara.pressLast('posts:more')
    await mara.hears(/Post number 6/)
    expect(mara.lastText()).not.toContain('Post number 5')
    await mara.pressLast('posts:back')
    await mara.hears(/Post number 5/)
  })

  it.each([
    ['x', '', 'For the birds', 'Post number '],
    ['scheduled from tomorrow to tomorrow', ' on \\w{3} \\d+ \\w{3}.*', 'Post number 1', 'Post number 2'],
    ['twitter, scheduled', '', 'For the birds', 'Post number '],
  ])('reads "%s" as a filter and names the days', async (filter, days, listed, notListed) => {
    await mara.run(`/upnext posts ${filter}`)
    await mara.hears(new RegExp(`[Pp]osts in Acme${days} matching "${filter}"`))
    expect(mara.lastText()).toContain(listed)
    expect(mara.lastText()).not.toContain(notListed)
  })

  it('says that no posts match, and where it searched', async () => {
    await mara.run('/upnext posts drafts')
    await mara.hears('No posts in Acme matching "drafts".')
    await mara.run('/upnext posts wibble wobble')
    await mara.hears('No posts in Acme matching "wibble wobble". Upnext searched the text')
  })
})

describe('/upnext', () => {
  it('shows the next post, which can be shared with the channel', async () => {
    await mara.run('/upnext')
    await mara.hears(/Up next in Acme/)
    await mara.pressLast('share:ask')
    const { id } = await mara.form('Share a post')
    await mara.submitView({ view: id, values: {} })
    const yuki = upnext.person('yuki')
    await vi.waitFor(
      () =>
        expect(yuki.lastMessage()).toMatchObject({
          isEphemeral: false,
          text: expect.stringMatching(/^Acme: /),
        }),
      MAX_WAIT,
    )
  })

  it('shares the post that it shows, also if another one is next by then', async () => {
    await mara.run('/upnext')
    await mara.hears(/Up next in Acme[\s\S]*Post number 1/)
    const move = (interval: string) =>
      upnext.service.pool.query(
        `update service.post set schedule_date = schedule_date + interval '${interval}' where content like 'Post number 1%'`,
      )
    await move('1 day')
    await mara.pressLast('share:ask')
    const { id } = await mara.form('Share a post')
    await mara.submitView({ view: id, values: {} })
    const yuki = upnext.person('yuki')
    await vi.waitFor(
      () => expect(JSON.stringify(yuki.lastMessage())).toMatch(/Post number 1.*Shared by/),
      MAX_WAIT,
    )
    await move('-1 day')
  })

  it('has a button that opens the schedule form', async () => {
    await mara.run('/upnext')
    await vi.waitFor(() => expect(mara.lastMessage()?.isEphemeral).toBe(true), MAX_WAIT)
    await mara.pressLast('schedule:open')
    await closeForm('Schedule a post')
  })
})

describe('/list-logs', () => {
  it('shows the newest entries first, and filters them by a word', async () => {
    await mara.run('/list-logs')
    await mara.hears(/Activity log for Acme[\s\S]*Scheduled a post for .* on X\.[\s\S]*on LINKEDIN\./)
    await mara.run('/list-logs linkedin')
    await mara.hears('Activity log for Acme matching "linkedin"')
    expect(mara.lastText()).not.toContain('on X.')
    await mara.run('/list-logs zebra')
    await mara.hears('No log entries in Acme matching "zebra".')
  })
})

describe('/upnext templates', () => {
  it('says that the project has no templates', async () => {
    await mara.run('/upnext templates')
    await mara.hears('No templates in Acme.')
  })

  it('lists templates, and starts a post with one', async () => {
    await insertTemplate(upnext.service.db, {
      project_id: upnext.project,
      title: 'Opening',
      content: 'We are <open>!',
      description: 'Doors',
    })
    await mara.run('/upnext templates')
    await mara.hears(/\*Opening\*\nWe are &lt;open&gt;!/)
    await mara.pressLast('templates:use')
    await mara.form('Schedule a post')
    const view = await vi.waitFor(() => {
      const topView = mara.state().views.at(-1)
      expect(topView?.blocks).toContainEqual(
        expect.objectContaining({
          block_id: 'Content',
          element: expect.objectContaining({ initial_value: 'We are <open>!' }),
        }),
      )
      return topView
    }, MAX_WAIT)
    const typed = mara.fill({ ScheduleDate: 'tomorrow 8am', Platforms: ['THREADS'] })
    expect(await mara.submitView({ view: view?.id ?? '', values: typed })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Threads/)
  })

  it('previews the whole text of a template', async () => {
    await insertTemplate(upnext.service.db, {
      project_id: upnext.project,
      title: 'Closing',
      content: `${'<Long> '.repeat(150)}the end.`,
      description: null,
    })
    await mara.run('/upnext templates')
    await mara.hears('Closing')
    expect(mara.lastText()).not.toContain('the end.')
    const message = mara.lastMessage()
    const blocks = message?.blocks ?? []
    const buttons = blocks[blocks.findIndex((block) => JSON.stringify(block).includes('Closing')) + 1]
    await mara.dispatchAction({
      container: { channel: mara.channel, ts: message?.ts ?? '' },
      block_id: buttons?.block_id ?? '',
      action_id: 'templates:preview',
    })
    await vi.waitFor(
      () => expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toContain('&lt;Long&gt; the end.'),
      MAX_WAIT,
    )
    const preview = mara.state().views.at(-1)
    const useButton = preview?.blocks.find(({ type }) => type === 'actions')
    await mara.dispatchAction({
      container: { view: preview?.id ?? '' },
      block_id: useButton?.block_id ?? '',
      action_id: 'templates:use',
    })
    await closeForm('Schedule a post')
  })
})

describe('/upnext prompt', () => {
  it('saves a prompt', async () => {
    await mara.run('/upnext prompt')
    const view = await mara.form('Create a prompt')
    const typed = mara.fill({ Title: 'Puns', PromptText: 'Write three puns.' })
    expect(await mara.submitView({ view: view.id, values: typed })).toEqual({ done: true })
    await mara.hears('Saved the prompt *Puns* in Acme.')
  })
})

describe('a deletion', () => {
  it.each([
    ['delete-webhook', "Delete Acme's webhook?", 'Acme has no webhook.'],
    ['delete-file', 'Delete the staged file?', "There's no staged file to delete."],
  ])('asks before it deletes the %s, and says if there is none', async (verb, question, answer) => {
    await mara.run(`/upnext ${verb}`)
    await mara.hears(`${question} This can't be undone.`)
    expect(JSON.stringify(mara.lastMessage())).toContain('"confirm":{')
    await mara.pressLast(`${verb}:confirm`)
    await mara.hears(answer)
  })
})

describe('a shortcut', () => {
  it('opens the empty form from anywhere', async () => {
    await mara.runShortcut({ callback_id: 'schedule_post' })
    await closeForm('Schedule a post')
  })

  it('opens the form with the text of a message', async () => {
    await mara.sendMessage({ channel: mara.channel, text: 'Lamps are back' })
    const message = { channel: mara.channel, ts: mara.lastMessage()?.ts ?? '' }
    await mara.runShortcut({ callback_id: 'schedule_as_post', message })
    const view = await mara.form('Schedule a post')
    expect(view.blocks.find(({ block_id }) => block_id === 'Content')).toMatchObject({
      element: { initial_value: 'Lamps are back' },
    })
    await mara.closeView({ view: view.id })
  })
})

describe('the Home tab', () => {
  it('shows upcoming posts by day and drafts, and opens the schedule form', async () => {
    await mara.run('/schedule-post')
    const form = await mara.form('Schedule a post')
    const draft = { Content: 'Perhaps <!channel>', Platforms: ['REDDIT'], Status: 'DRAFT' }
    const typed = mara.fill({ ...draft, ScheduleDate: 'in 3 days' })
    expect(await mara.submitView({ view: form.id, values: typed })).toEqual({ done: true })
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(homeText(mara)).toContain('Perhaps'), MAX_WAIT)
    expect(homeText(mara)).toContain('Acme')
    expect(homeText(mara)).toMatch(
      /(Up next|Next 7 days).*Post number 1!.*\*\w+ \d+ \w+, 09:00[^"]*\* · LinkedIn/,
    )
    // The text of a post never notifies anyone.
    expect(homeText(mara)).toContain('"type":"plain_text","text":"Perhaps <!channel>"')
    expect(homeText(mara)).not.toMatch(/"mrkdwn","text":"[^"]*<!channel>/)
    await pressOnHome(mara, 'schedule:open')
    await closeForm('Schedule a post')
  })

  it("sets the user's time zone, and returns to the one from Slack", async () => {
    await pressOnHome(mara, 'zone:choose', 'Asia/Tokyo')
    await vi.waitFor(() => expect(homeText(mara)).toContain('"zone:forget"'), MAX_WAIT)
    expect(homeText(mara)).toContain('"Asia/Tokyo"')
    await pressOnHome(mara, 'zone:forget')
    await vi.waitFor(() => expect(homeText(mara)).not.toContain('Asia/Tokyo'), MAX_WAIT)
  })

  it('shows a refusal in a modal', async () => {
    const noor = upnext.person('noor')
    await noor.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(homeText(noor)).toContain('schedule:open'), MAX_WAIT)
    await pressOnHome(noor, 'schedule:open')
    await vi.waitFor(
      () => expect(JSON.stringify(noor.state().views)).toContain('Guests have view-only access.'),
      MAX_WAIT,
    )
  })
})

describe('/upnext zone', () => {
  it('sets, shows and resets the time zone in which a user reads and writes', async () => {
    await mara.run('/upnext zone Tokyo')
    await mara.hears('Your time zone is now *Asia/Tokyo*.')
    await mara.run('/schedule-post Konnichiwa! tomorrow 9am on X')
    const { id, blocks } = await mara.form('Schedule a post')
    expect(JSON.stringify(blocks)).toMatch(/09:00 Tokyo/)
    await mara.closeView({ view: id })
    await mara.run('/upnext zone')
    await mara.hears('Your time zone is *Asia/Tokyo*.')
    await mara.run('/upnext zone slack')
    await mara.hears('Your time zone is now *Europe/Berlin*.')
  })

  it.each([
    ['CST', /"CST" could be `.*` or `.*`\. Type the full name, as in /],
    ['Atlantis <b>', `Upnext doesn't know the time zone "Atlantis &lt;b&gt;".`],
    ['tomorrow in Berlin', `Upnext doesn't know the time zone "tomorrow in Berlin".`],
  ])('does not guess the time zone "%s"', async (typed, answer) => {
    await mara.run(`/upnext zone ${typed}`)
    await mara.hears(answer)
  })
})
