import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertTemplate } from '../../src/service/storage/templates.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ projects: ['Acme'] })
  mara = upnext.person('mara')
})
afterAll(() => upnext.close())

const schedule = async (words: string) => {
  await mara.run(`/schedule-post ${words}`)
  const view = await mara.form('Schedule a post')
  expect(await mara.submitView({ view: view.id, values: {} })).toEqual({ done: true })
  await mara.hears('Scheduled in Acme')
}

describe('/upnext posts', () => {
  beforeAll(async () => {
    for (const number of [1, 2, 3, 4, 5, 6])
      await schedule(`Post number ${number}! in ${number} days at 9am on LinkedIn`)
    await schedule('For the birds! tomorrow 5pm on X')
  })

  it('lists what there is, page by page', async () => {
    await mara.run('/upnext posts linkedin')
    await mara.hears(/"linkedin" in Acme[\s\S]*Post number 1[\s\S]*Post number 5/)
    expect(mara.told()).not.toContain('Post number 6')
    await mara.pressLast('posts:more')
    await mara.hears(/Post number 6/)
    expect(mara.told()).not.toContain('Post number 5')
    await mara.pressLast('posts:back')
    await mara.hears(/Post number 5/)
  })

  it.each([
    ['x', 'For the birds', 'Post number '],
    ['scheduled from tomorrow to tomorrow', 'Post number 1', 'Post number 2'],
    ['twitter, scheduled', 'For the birds', 'Post number '],
  ])('reads "%s" as a filter', async (words, shown, hidden) => {
    await mara.run(`/upnext posts ${words}`)
    await mara.hears(`Posts of "${words}" in Acme`)
    expect(mara.told()).toContain(shown)
    expect(mara.told()).not.toContain(hidden)
  })

  it('says when there are none, and when it cannot read the words', async () => {
    await mara.run('/upnext posts drafts')
    await mara.hears('There are no posts of "drafts" in Acme.')
    await mara.run('/upnext posts wibble wobble')
    await mara.hears('I cannot read those days.')
  })
})

describe('what goes out next', () => {
  it('can be shared with all in the channel, and leads to the form', async () => {
    await mara.run('/upnext')
    await mara.hears(/Up next in Acme/)
    await mara.pressLast('next:share')
    const yuki = upnext.person('yuki')
    await vi.waitFor(() =>
      expect(yuki.lastMessage()).toMatchObject({
        isEphemeral: false,
        text: expect.stringContaining('Up next in Acme'),
      }),
    )
    await mara.run('/upnext')
    await vi.waitFor(() => expect(mara.lastMessage()?.isEphemeral).toBe(true))
    await mara.pressLast('schedule:open')
    const view = await mara.form('Schedule a post')
    await mara.closeView({ view: view.id })
  })
})

describe('/list-logs', () => {
  it('shows what happened, newest first, narrowed down by a word', async () => {
    await mara.run('/list-logs')
    await mara.hears(/Log of Acme[\s\S]*Scheduled a post for .* on X\.[\s\S]*on LINKEDIN\./)
    await mara.run('/list-logs linkedin')
    await mara.hears(/with "linkedin" in Acme/)
    expect(mara.told()).not.toContain('on X.')
    await mara.run('/list-logs zebra')
    await mara.hears('There are no log entries with "zebra" in Acme.')
  })
})

describe('templates and prompts', () => {
  it('says that there are no templates, then lists them, and begins a post with one', async () => {
    await mara.run('/upnext templates')
    await mara.hears('There are no templates in Acme.')
    const { service, project } = upnext
    await insertTemplate(service.db, {
      project_id: project,
      title: 'Opening',
      content: 'We are <open>!',
      description: 'Doors',
    })
    await mara.run('/upnext templates')
    await mara.hears(/\*Opening\*\nWe are &lt;open&gt;!/)
    await mara.pressLast('templates:use')
    await mara.form('Schedule a post')
    const view = await vi.waitFor(() => {
      const open = mara.state().views.at(-1)
      expect(open?.blocks).toContainEqual(
        expect.objectContaining({
          block_id: 'Content',
          element: expect.objectContaining({ initial_value: 'We are <open>!' }),
        }),
      )
      return open
    })
    const values = mara.fill({ ScheduleDate: 'tomorrow 8am', Platforms: ['THREADS'] })
    expect(await mara.submitView({ view: view?.id ?? '', values })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Threads/)
  })

  it('shows the whole of a template before it is used', async () => {
    const { service, project } = upnext
    const content = `${'<Long> '.repeat(150)}the end.`
    await insertTemplate(service.db, { project_id: project, title: 'Closing', content, description: null })
    await mara.run('/upnext templates')
    await mara.hears('Closing')
    expect(mara.told()).not.toContain('the end.')
    const message = mara.lastMessage()
    const blocks = message?.blocks ?? []
    const buttons = blocks[blocks.findIndex((block) => JSON.stringify(block).includes('Closing')) + 1]
    await mara.dispatchAction({
      container: { channel: mara.channel, ts: message?.ts ?? '' },
      block_id: buttons?.block_id ?? '',
      action_id: 'templates:preview',
    })
    await vi.waitFor(() =>
      expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toContain('&lt;Long&gt; the end.'),
    )
    const preview = mara.state().views.at(-1)
    const use = preview?.blocks.find(({ type }) => type === 'actions')
    await mara.dispatchAction({
      container: { view: preview?.id ?? '' },
      block_id: use?.block_id ?? '',
      action_id: 'templates:use',
    })
    const form = await mara.form('Schedule a post')
    await mara.closeView({ view: form.id })
    await mara.closeView({ view: preview?.id ?? '' })
  })

  it('stores a prompt', async () => {
    await mara.run('/upnext prompt')
    const view = await mara.form('Create a prompt')
    const values = mara.fill({ Title: 'Puns', PromptText: 'Write three puns.' })
    expect(await mara.submitView({ view: view.id, values })).toEqual({ done: true })
    await mara.hears('The prompt *Puns* is in Acme.')
  })
})

describe('what cannot be undone', () => {
  it.each([
    ['webhook', 'Acme has no webhook.'],
    ['file', 'There is no staged file.'],
  ])('asks before it deletes the %s, and says when there is none', async (verb, nothing) => {
    await mara.run(`/upnext ${verb}`)
    await mara.hears(/This deletes .*It cannot be undone/)
    const [button] = JSON.stringify(mara.lastMessage()).match(/"confirm":\{/) ?? []
    expect(button).toBeDefined()
    await mara.pressLast(`${verb}:delete`)
    await mara.hears(nothing)
  })

  it('is for owners and admins, who may not when the button was theirs and the role is not', async () => {
    const yuki = upnext.person('yuki')
    await yuki.run('/upnext webhook')
    await yuki.hears('owners and admins')
  })
})

describe('shortcuts', () => {
  it('open the form, from anywhere and with a message in it', async () => {
    await mara.runShortcut({ callback_id: 'schedule_post' })
    const empty = await mara.form('Schedule a post')
    await mara.closeView({ view: empty.id })
    await mara.sendMessage({ channel: mara.channel, text: 'Lamps are back' })
    const message = { channel: mara.channel, ts: mara.lastMessage()?.ts ?? '' }
    await mara.runShortcut({ callback_id: 'schedule_as_post', message })
    const view = await mara.form('Schedule a post')
    const content = view.blocks.find(({ block_id }) => block_id === 'Content')
    expect(content).toMatchObject({
      element: { initial_value: expect.stringMatching(/^Lamps are back\nhttp:.*\/archives\//) },
    })
    await mara.closeView({ view: view.id })
  })
})

describe('the Home', () => {
  it('shows what comes, by day, and what is not scheduled yet, and leads to the form', async () => {
    await mara.run('/schedule-post')
    const draft = await mara.form('Schedule a post')
    const values = mara.fill({ Content: 'Perhaps <!channel>', Platforms: ['REDDIT'], Status: 'DRAFT' })
    expect(await mara.submitView({ view: draft.id, values })).toEqual({ done: true })
    await mara.openAppTab({ tab: 'home' })
    const home = await vi.waitFor(() => {
      const words = JSON.stringify(mara.state().home?.blocks)
      expect(words).toContain('Perhaps')
      return words
    })
    expect(home).toContain('Acme')
    expect(home).toMatch(/_\w+day \d+ \w+_.*09:00 Post number 1! · LinkedIn/)
    // Nobody is called by what somebody wrote.
    expect(home).toContain('&lt;!channel&gt;')
    expect(home).not.toContain('<!channel>')
    const view = mara.state().home
    const block = view?.blocks.find((one) => one.type === 'actions')
    await mara.dispatchAction({
      container: { view: view?.id ?? '' },
      block_id: block?.block_id ?? '',
      action_id: 'schedule:open',
    })
    const opened = await mara.form('Schedule a post')
    await mara.closeView({ view: opened.id })
  })

  const chooseOnHome = async (action_id: string, value?: string) => {
    const view = mara.state().home
    const block = view?.blocks.find((one) => JSON.stringify(one).includes(`"${action_id}"`))
    const at = { view: view?.id ?? '' }
    const block_id = block?.block_id ?? ''
    if (value && !action_id.startsWith('project'))
      await mara.loadOptions({ container: at, block_id, action_id, query: value })
    return mara.dispatchAction({ container: at, block_id, action_id, ...(value && { value }) })
  }

  it("takes a time zone of one's own, and gives it back", async () => {
    expect(await chooseOnHome('zone:choose', 'Asia/Tokyo')).toEqual({ done: true })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('"zone:forget"'))
    expect(JSON.stringify(mara.state().home)).toContain('"Asia/Tokyo"')
    await chooseOnHome('zone:forget')
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).not.toContain('Asia/Tokyo'))
  })

  it('is published when there is news, and not for being looked at', async () => {
    const published = () =>
      upnext.slack.controls.appPayloads().filter(({ name }) => name === 'views.publish').length
    await mara.openAppTab({ tab: 'home' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = published()
    await mara.openAppTab({ tab: 'home' })
    await mara.openAppTab({ tab: 'home' })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(published()).toBe(before)
    await schedule('News! in 2 hours on X')
    await vi.waitFor(() => expect(published()).toBe(before + 1))
  })

  it('answers before the person what cannot be done from there', async () => {
    const noor = upnext.person('noor')
    await noor.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(noor.state().home)).toContain('schedule:open'))
    const view = noor.state().home
    const block = view?.blocks.find((one) => one.type === 'actions')
    await noor.dispatchAction({
      container: { view: view?.id ?? '' },
      block_id: block?.block_id ?? '',
      action_id: 'schedule:open',
    })
    await vi.waitFor(() => expect(JSON.stringify(noor.state().views)).toContain('Guests can look here'))
  })
})

it('sends nothing that Slack would find fault with', () => {
  const faulty = upnext.slack.controls.appPayloads().filter(({ problems }) => problems.length)
  expect(faulty).toEqual([])
})

describe('/upnext zone', () => {
  const zoneOf = async (words: string) => {
    await upnext.person('mara').run(`/upnext zone ${words}`.trim())
  }

  it('sets, shows and gives back the zone that a person writes and reads in', async () => {
    const mara = upnext.person('mara')
    await zoneOf('Tokyo')
    await mara.hears('times of *Asia/Tokyo* here now')
    await mara.run('/schedule-post Konnichiwa! tomorrow 9am on X')
    const { blocks } = await mara.form('Schedule a post')
    expect(JSON.stringify(blocks)).toMatch(/09:00 Tokyo/)
    await zoneOf('')
    await mara.hears('You write and read times of *Asia/Tokyo* here.')
    await zoneOf('slack')
    await mara.hears('times of *Europe/Berlin* here now')
  })

  it.each([
    ['CST', /"CST" may be `.*` or `.*`/],
    ['Atlantis <b>', 'There is no time zone "Atlantis &lt;b&gt;".'],
    ['tomorrow in Berlin', 'There is no time zone'],
  ])('does not guess what %s is', async (words, said) => {
    await zoneOf(words)
    await upnext.person('mara').hears(said)
  })
})
