import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasSeveralPosts, readPostCommand } from '../../src/post-command/read-post-command.ts'

type Row = {
  text: string
  content: string
  when: string
  platforms: string[]
  media?: string
  isDraft?: boolean
  /** The time may belong to the post, so the content keeps it. */
  unsure?: boolean
  /** The other time that may be meant. */
  other?: string
  locale?: string
  /** What the form says first. */
  messages?: string[]
  /** Several lines name a time, so they are several posts. */
  isPlan?: boolean
}

/** Written from the specification, without knowing the code. */
const ROWS = readFileSync(new URL('post-commands.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): Row => JSON.parse(line))

const context = { now: new Date('2026-11-20T11:00:00Z'), zone: 'Europe/Berlin' }

describe('the one-line command', () => {
  it.each(ROWS)('distinguishes one post from several: $text', ({ text, locale, isPlan = false }) => {
    expect(hasSeveralPosts(text, { ...context, locale })).toBe(isPlan)
  })

  it.each([
    ['Text: Save the Date: 24 Dec. Where: LinkedIn Time: 9am', 'Save the Date: 24 Dec'],
    ['Content: Our Media: https://acme.example/a.png Platforms: X', 'Our Media: https://acme.example/a.png'],
  ])('keeps words of the text that are also labels: %s', (text, words) => {
    expect(readPostCommand(text, context).content).toContain(words)
  })

  it.each(ROWS.filter(({ isPlan }) => !isPlan))(
    '$text',
    ({
      text,
      content,
      when,
      platforms,
      media = '',
      isDraft = false,
      unsure = false,
      other,
      locale,
      messages = [],
    }) => {
      const command = readPostCommand(text, { ...context, locale })
      expect({
        content: command.content,
        when: command.when?.words ?? '',
        platforms: command.platforms.toSorted(),
        media: command.media,
        isDraft: command.isDraft,
        unsure: command.when?.isInText ?? false,
        messages: command.messages,
      }).toEqual({ content, when, platforms: platforms.toSorted(), media, isDraft, unsure, messages })
      if (other) expect(command.otherWhen?.words).toBe(other)
    },
  )

  it('keeps the whole text of a post, whatever characters it has', () => {
    const characters = fc.constantFrom(
      ...[
        '👍🏽',
        '👩‍🚀',
        '👨‍👩‍👧',
        '🇩🇪',
        '3️⃣',
        '❤️',
        '𠮷',
        '𝐁𝐢𝐠',
        '𝟗',
        'é',
        'e\u0301',
        'ﬁ',
        'ß',
        'İ',
        'ǆ',
        '㎞',
        '①',
        '한',
        'ع',
        '½',
      ],
    )
    const text = fc.array(characters, { maxLength: 6 }).map((parts) => `Hello ${parts.join(' ')} friends!`)
    const property = fc.property(text, (content) => {
      const command = readPostCommand(`${content} tomorrow 9am on LinkedIn`, context)
      expect(command).toMatchObject({ content, when: { words: 'tomorrow 9am' }, platforms: ['LINKEDIN'] })
    })
    fc.assert(property, { numRuns: 500, seed: 20_261_120 })
  })

  it('removes the platforms next to a time that is removed from the text later', () => {
    const command = readPostCommand('Doors open at 7pm, show starts 8pm instagram sat 11am', context)
    expect(command).toMatchObject({ when: { segment: ' instagram sat 11am', isInText: true } })
  })
})
