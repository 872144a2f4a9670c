import shortNames from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' }
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findEmoji, fromCodePoints, replaceEmojiNames } from '../../src/local-slack/emoji.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 5 }
// Each test saves hundreds of posts, one after the other.
vi.setConfig({ testTimeout: 300_000 })

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

// After another emoji, the name of a skin tone belongs to it.
const NAMES = Object.values(shortNames)
  .flat()
  .filter((name) => !name.startsWith('skin-tone'))
const emojiName = fc.constantFrom(...NAMES)
const skinTone = fc.constantFrom('', '::skin-tone-2', '::skin-tone-6')
const emojiCode = fc.tuple(emojiName, skinTone).map(([name, tone]) => `:${name}${tone}:`)
// Slack sends "a🎉" as "a:tada:", which nobody can tell from "a:tada" and ":", so a space stands before it.
const emoji = fc.tuple(emojiName, skinTone).map(([name, tone]) => ` ${findEmoji(name + tone)}`)
// biome-ignore format: each line has texts of one kind
const TOKENS = [
  'Launch day!', 'größer', '発売🎉です', '発売:tada:です', 'مرحبا', 'สวัสดี', 'e\u{301}', '\u{200b}', '\u{202e}', '\u{a0}', '❤', '👩🏻‍🤝‍👨🏿',
  ':party-parrot:', ':Tada:', ':nope::tada:', ':tada', 'tada:', ':', '::', ': :', ':100:', ':+1:',
  '10:30', '10:30:15', '10:100:15', '9:tada:', 're: sale: 50%', 'a:b:c', 'std::vector', '0xff:ff',
  '&', '&amp;', '&lt;', '&amp;amp;', '<', '>', '<3', '<b>', '<!here>', '<@U123>', '<#C123|launch>', '|',
  '@yuki', '@acme', '@here', '#launch', '#general', '#sale', 'me@acme.example',
  'https://acme.example/a?b=1&c=2 ', 'https://acme.example:8080/:tada:/a:x:b ', 'http://acme.example🎉, ', 'http://acme.example/発売🎉です ',
  '"', '“quoted”', '«', "'", '*bold*', '_it_', '~no~', '`:tada:`', '{name}', '\\', '\n', '\n\n', '> quote', '• item',
]
const SEPARATORS = ['', '', ' ', ' ', ', ']
const text = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...TOKENS) }, emojiCode, emoji),
      fc.constantFrom(...SEPARATORS),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.flat().join(''))

const COUNT = 5000
/** An input takes 3,000 characters, so many texts share a post. */
const MAX_LENGTH = 2900
const DIVIDER = '\n=\n'
/** Nothing at the ends of a post looks like a time or a platform. */
const wrap = (texts: string[]) => ['Begins', ...texts, 'ends'].join(DIVIDER)

function intoPosts(texts: string[]): string[] {
  const posts: string[][] = [[]]
  for (const text of texts) {
    const current = posts.at(-1) ?? []
    if (wrap([...current, text]).length > MAX_LENGTH) posts.push([text])
    else current.push(text)
  }
  return posts.map(wrap)
}

const drawPosts = () => intoPosts(fc.sample(text, COUNT))

/** What Slack shows of a text that someone typed into a command or an input. */
const shown = (typed: string): string =>
  typed
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 ? part : replaceEmojiNames(part)))
    .join('')

type RichText = { elements: { elements: Record<string, string>[] }[] }

/** What Slack shows of the latest message, with names in place of mentions. */
function shownMessage(): string {
  const [block] = (mara.lastMessage()?.blocks ?? []) as unknown as RichText[]
  return (block?.elements[0]?.elements ?? []).map(shownElement).join('')
}

function shownElement({
  type,
  text = '',
  unicode = '',
  url = '',
  user_id,
  channel_id,
  range = '',
}: Record<string, string>) {
  const { users, channels } = mara.state()
  if (type === 'text') return text
  if (type === 'emoji') return fromCodePoints(unicode)
  if (type === 'link') return url
  if (type === 'broadcast') return range
  if (type === 'user') return users.find(({ id }) => id === user_id)?.name
  return `#${channels.find(({ id }) => id === channel_id)?.name}`
}

const DRAFT = { Platforms: ['TELEGRAM'], Status: 'DRAFT', ScheduleDate: 'tomorrow 9am' }

/** Saves the open form as a draft, and returns the text that the service got. */
async function saveDraft(typed: { Content?: string } = {}): Promise<string> {
  const { id } = await mara.form('Schedule a post')
  expect(await mara.submitView({ view: id, values: mara.fill({ ...DRAFT, ...typed }) })).toEqual({
    done: true,
  })
  const rows = await vi.waitFor(async () => {
    const { rows } = await upnext.service.pool.query('delete from service.post returning content')
    expect(rows).toHaveLength(1)
    return rows
  }, MAX_WAIT)
  await vi.waitFor(() => expect(mara.state().views).toEqual([]), MAX_WAIT)
  return rows[0].content
}

const expectSame = (got: string, seen: string) => expect(got.split(DIVIDER)).toEqual(seen.split(DIVIDER))

it('sends the text that people saw in 5,000 commands', async () => {
  for (const typed of drawPosts()) {
    await mara.run(`/schedule-post draft: "${typed}"`)
    expectSame(await saveDraft(), shown(typed))
  }
})

it('sends the text that people saw in 5,000 inputs', async () => {
  for (const typed of drawPosts()) {
    await mara.run('/schedule-post')
    expectSame(await saveDraft({ Content: typed }), shown(typed))
  }
})

it('sends the text that people saw in 5,000 messages', async () => {
  for (const typed of drawPosts()) {
    await mara.sendMessage({ channel: mara.channel, text: typed })
    const message = { channel: mara.channel, ts: mara.lastMessage()?.ts ?? '' }
    const seen = shownMessage()
    await mara.runShortcut({ callback_id: 'schedule_as_post', message })
    expectSame(await saveDraft(), seen)
  }
})
