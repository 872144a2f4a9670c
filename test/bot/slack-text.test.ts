import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
const closeForms = async () => {
  for (const { id } of mara.state().views.toReversed()) await mara.closeView({ view: id })
}
afterEach(async () => {
  await closeForms()
  await upnext.service.pool.query('delete from service.post')
})
afterAll(async () => {
  const problems = upnext.slack.controls.appPayloads().flatMap((payload) => payload.problems)
  // A message mentions a person and a channel that don't exist.
  expect(problems.filter((problem) => !problem.endsWith('_not_found'))).toEqual([])
  await upnext.close()
})

type FormBlock = { block_id?: string; element?: { initial_value?: string; action_id?: string } }

const topBlocks = (): FormBlock[] => JSON.parse(JSON.stringify(mara.state().views.at(-1)?.blocks ?? []))
const inputOf = (name: string) => topBlocks().find(({ block_id }) => block_id === name)?.element
const noteOf = (name: string) =>
  JSON.stringify(topBlocks().find(({ block_id }) => block_id === `note:${name}`) ?? '')
const initialContent = () => inputOf('Content')?.initial_value

const publishedTexts = async (): Promise<string[]> => {
  const { rows } = await upnext.service.pool.query('select content from service.post order by created_at')
  return rows.map(({ content }) => content)
}

const openForm = async (command: string) => {
  await mara.run(command)
  return mara.form('Schedule a post')
}

/** Picks a platform, so that the form shows its notes. */
async function pickX(view: string, typed: Record<string, string>): Promise<void> {
  const values = mara.fill({ ...typed, Platforms: ['X'] })
  const action_id = inputOf('Platforms')?.action_id ?? ''
  await mara.dispatchAction({ container: { view }, block_id: 'Platforms', action_id, value: ['X'], values })
  await vi.waitFor(() => expect(noteOf('Content')).toMatch(/\d left/), MAX_WAIT)
}

const useAsPost = async (message: { channel: string; ts: string }) => {
  await mara.runShortcut({ callback_id: 'schedule_as_post', message })
  await mara.form('Schedule a post')
  return initialContent()
}

const useTyped = async (text: string) => {
  await mara.sendMessage({ channel: mara.channel, text })
  return useAsPost({ channel: mara.channel, ts: mara.lastMessage()?.ts ?? '' })
}

/** Uses a message of the app, which can contain any markup. */
const useMessageOfApp = async (message: { text?: string; blocks?: object[] }) => {
  const response = await fetch(`${upnext.slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${upnext.slack.secrets.botToken}`,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify({ channel: mara.channel, ...message }),
  })
  const { ts, error } = (await response.json()) as { ts: string; error?: string }
  expect(error).toBeUndefined()
  return useAsPost({ channel: mara.channel, ts })
}

describe('a command', () => {
  it.each([
    [':coffee: tomorrow 9am', '☕'],
    ['Launch 🎉 tomorrow 9am', 'Launch 🎉'],
    ['Launch tomorrow 9am :woman-running::skin-tone-4: :one:', 'Launch 🏃🏽‍♀️ 1️⃣'],
    ['tomorrow 9am :coffee: hi there', '☕ hi there'],
    [':party-parrot: tomorrow 9am', ':party-parrot:'],
    ['tomorrow 9am :party-parrot: Launch', ':party-parrot: Launch'],
    ['Launch :party-parrot: on X tomorrow 9am', 'Launch :party-parrot:'],
    ['On LinkedIn tomorrow 9am: :tada: Launch', '🎉 Launch'],
    ['Doors at 10:30:15, 10:100:15 re: sale: 50% tomorrow 9am', 'Doors at 10:30:15, 10:100:15 re: sale: 50%'],
    [
      'https://acme.example:8080:/a:x:b 发布:tada:了 tomorrow 9am',
      'https://acme.example:8080:/a:x:b 发布🎉了',
    ],
    [
      'https://acme.example🎉 https://acme.example/a:x:b tomorrow 9am',
      'https://acme.example🎉 https://acme.example/a:x:b',
    ],
    ['R&amp;D &lt;3 @acme tomorrow 9am', 'R&amp;D &lt;3 @acme'],
  ])('fills in the text of "%s" as "%s"', async (typed, content) => {
    for (const command of ['/schedule-post', '/upnext schedule']) {
      await openForm(`${command} ${typed}`)
      expect(initialContent()).toBe(content)
      expect(inputOf('ScheduleDate')?.initial_value).toBe('tomorrow 9am')
      await closeForms()
    }
  })

  it('explains an emoji of the workspace under the text', async () => {
    await openForm('/schedule-post Launch :tada: :party-parrot: at 10:30:15, a:foo:b')
    const note =
      '":party-parrot:" is a custom emoji of this workspace, so the platforms will show it as plain text.'
    expect(JSON.parse(noteOf('Content')).elements[0].text).toBe(note)
  })

  it('sends the emoji to the service', async () => {
    const { id } = await openForm('/schedule-post Launch :tada: tomorrow 9am on X')
    await mara.submitAndHear({ view: id, values: {} }, 'Scheduled in Acme')
    expect(await publishedTexts()).toEqual(['Launch 🎉'])
  })

  it('finds a post by its emoji', async () => {
    await insertPost(upnext.service.db, {
      project_id: upnext.project,
      content: 'Launch 🎉',
      platforms: ['X'],
      status: 'SCHEDULED',
      schedule_date: new Date('2026-11-27T14:00Z'),
    })
    await mara.run('/upnext edit :tada:')
    await mara.form('Edit a post')
    expect(initialContent()).toBe('Launch 🎉')
  })
})

describe('a form', () => {
  it('counts and previews emoji as characters, and shows the text as it was typed', async () => {
    const { id } = await openForm('/schedule-post')
    await pickX(id, { Content: ':tada: Launch :wave::skin-tone-3: &amp;' })
    expect(initialContent()).toBe(':tada: Launch :wave::skin-tone-3: &amp;')
    // X counts each emoji as two characters.
    expect(noteOf('Content')).toContain('X: 262 left')
    const shown = mara.state().views.length
    await mara.dispatchAction({
      container: { view: id },
      block_id: 'preview',
      action_id: 'change:schedule:preview',
    })
    await vi.waitFor(() => expect(mara.state().views).toHaveLength(shown + 1), MAX_WAIT)
    expect(JSON.stringify(topBlocks())).toContain('🎉 Launch 👋🏼 &amp;')
  })

  it('sends the emoji to the service, and "&amp;" and "@" as they were typed', async () => {
    const { id } = await openForm('/schedule-post')
    const typed = {
      Content: ':tada: R&amp;D with @acme :party-parrot:',
      ScheduleDate: 'tomorrow 9am',
      Platforms: ['X'],
    }
    await mara.submitAndHear({ view: id, values: mara.fill(typed) }, 'Scheduled in Acme')
    expect(await publishedTexts()).toEqual(['🎉 R&amp;D with @acme :party-parrot:'])
  })

  it('explains emoji of the workspace under the text', async () => {
    const { id } = await openForm('/schedule-post')
    await pickX(id, { Content: ':party-parrot::blob-dance: :tada:' })
    expect(JSON.parse(noteOf('Content')).elements[0].text).toContain(
      '":party-parrot:" and ":blob-dance:" are custom emoji of this workspace, so the platforms will show them as plain text.',
    )
  })

  it('sends the emoji of an edited post to the service', async () => {
    await insertPost(upnext.service.db, {
      project_id: upnext.project,
      content: 'Launch',
      platforms: ['X'],
      status: 'SCHEDULED',
      schedule_date: new Date('2026-11-27T14:00Z'),
    })
    await mara.run('/upnext edit launch')
    const { id } = await mara.form('Edit a post')
    await mara.submitAndHear(
      { view: id, values: mara.fill({ Content: 'Launch :rocket:' }) },
      'Saved the changes',
    )
    expect(await publishedTexts()).toEqual(['Launch 🚀'])
  })

  it('sends the emoji of a prompt to the service', async () => {
    await mara.run('/upnext prompt')
    const { id } = await mara.form('Create a prompt')
    const typed = { Title: ':coffee: break', PromptText: 'End with :v::skin-tone-6:' }
    await mara.submitAndHear({ view: id, values: mara.fill(typed) }, 'Saved the prompt *☕ break*')
    const { rows } = await upnext.service.pool.query('select title, prompt_text from service.prompt')
    expect(rows).toEqual([{ title: '☕ break', prompt_text: 'End with ✌🏿' }])
  })
})

describe('the message shortcut', () => {
  it('fills in the text that people saw', async () => {
    expect(
      await useTyped(
        '🎉 R&D &amp; <3 with @yuki in #general, @here: :coffee: *now* `:x:` https://acme.example/a?b=1&c=2 :nope:',
      ),
    ).toBe(
      '🎉 R&D &amp; <3 with Yuki Arai in #general, here: ☕ *now* `❌` https://acme.example/a?b=1&c=2 :nope:',
    )
  })

  it('reads lists, code and links of rich text', async () => {
    const text = (text: string, style = {}) => ({ type: 'text', text, style })
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })
    const elements = [
      section(text('Our '), text('best', { bold: true }), text(' offers:\n')),
      { type: 'rich_text_list', style: 'bullet', elements: [section(text('one')), section(text('two'))] },
      { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 1, elements: [section(text('three'))] },
      { type: 'rich_text_quote', elements: [text(':tada: is code for '), { type: 'emoji', name: 'tada' }] },
      { type: 'rich_text_preformatted', elements: [text('a:x:b')] },
      section(
        { type: 'link', url: 'mailto:hi@acme.example', text: 'write to us' },
        text(' or '),
        { type: 'link', url: 'https://acme.example', text: 'see' },
        text(' '),
        { type: 'emoji', name: 'wave', unicode: '1f44b-1f3fc' },
        { type: 'emoji', name: 'nope' },
        { type: 'broadcast', range: 'channel' },
        { type: 'usergroup', usergroup_id: 'S1' },
        { type: 'color', value: '#0b6b53' },
      ),
    ]
    expect(await useMessageOfApp({ text: 'x', blocks: [{ type: 'rich_text', elements }] })).toBe(
      [
        'Our best offers:',
        '• one',
        '• two',
        '    2. three',
        ':tada: is code for 🎉',
        'a:x:b',
        'hi@acme.example or https://acme.example 👋🏼:nope:channelteam#0b6b53',
      ].join('\n'),
    )
  })

  it('reads the markup of a message without rich text', async () => {
    const text =
      '&amp;lt; :tada::wave::skin-tone-3: <!here> <!subteam^S1|@team> <#C1|launch> <https://acme.example/:x:|see> <tel:+491|call> <!date^1795000000^{date}|Friday>'
    expect(await useMessageOfApp({ text, blocks: [{ type: 'divider' }] })).toBe(
      '&lt; 🎉👋🏼 here team #launch https://acme.example/:x: +491 Friday',
    )
  })

  it('names people and public channels, and no private ones', async () => {
    const { channels } = upnext.person('mara').state()
    const idOf = (wanted: string) => channels.find(({ name }) => name === wanted)?.id
    const yuki = upnext.person('yuki').userId
    const text = `<@${yuki}> and <@U404> in <#${idOf('general')}|>, <#${idOf('press')}> and <#C404>`
    expect(await useMessageOfApp({ text, blocks: [{ type: 'divider' }] })).toBe(
      'Yuki Arai and someone in #general, private channel and private channel',
    )
  })
})
