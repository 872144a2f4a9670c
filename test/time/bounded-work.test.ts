import { afterEach, describe, expect, it, vi } from 'vitest'
import { findWorkspaceEmoji, replaceEmojiNames } from '../../src/bot/slack/emoji-names.ts'
import { extractPlatforms } from '../../src/platforms/platform-names.ts'
import { readPostCommand } from '../../src/post-command/read-post-command.ts'
import { readDateRange } from '../../src/time/date-range.ts'
import { readNewTime } from '../../src/time/read-new-time.ts'
import { readWhen } from '../../src/time/read-when.ts'
import { readZones, searchZones } from '../../src/time/read-zones.ts'
import { readRecurrence } from '../../src/time/recurrence.ts'
import { countRegExpSteps } from '../support/count-regexp-steps.ts'
import { createRepetition, repeatUpTo } from '../support/repeated-fragments.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { inBerlin, inBerlinWithPost } from './summarize-reading.ts'

// These tests must also pass on a slow machine.
vi.setConfig({ testTimeout: 0 })

afterEach(() => vi.restoreAllMocks())

const REPETITIONS = ((random = createSeededRandom(20_261_121)) =>
  Array.from({ length: 80 }, (_, index) => createRepetition(index, random)))()

/** A smaller set for the slowest checks. */
const SAMPLE = REPETITIONS.filter((_, index) => index < 10 || index % 5 === 0)

/** One reading of 300 characters takes about ten times as many steps. */
const TOLERANCE = 30_000

type Read = (text: string) => unknown

const BOUNDED_READERS: [name: string, read: Read, maxLength: number][] = [
  ['readWhen', (text) => readWhen(text, inBerlin), 300],
  ['readNewTime', (text) => readNewTime(text, inBerlinWithPost), 300],
  ['readRecurrence', (text) => readRecurrence(text, inBerlin), 300],
  ['readDateRange', (text) => readDateRange(text, inBerlin, 'future'), 300],
  ['readZones', readZones, 300],
  ['searchZones', searchZones, 300],
]

const LINEAR_READERS: [name: string, read: Read, maxLength: number][] = [
  ...BOUNDED_READERS,
  ['readPostCommand', (text) => readPostCommand(text, inBerlin), 4000],
  ['extractPlatforms', extractPlatforms, 4000],
  ['replaceEmojiNames', replaceEmojiNames, 4000],
  ['replaceEmojiNames after a link', (text) => replaceEmojiNames(`https://${text}`), 4000],
  ['findWorkspaceEmoji', findWorkspaceEmoji, 4000],
]

describe('all readers', () => {
  it.each(LINEAR_READERS)(
    'takes at most twice the steps for twice the text in %s',
    (name, read, maxLength) => {
      read('tomorrow 9am Berlin') // Builds its tables.
      for (const repetition of name === 'readPostCommand' ? SAMPLE : REPETITIONS) {
        const countSteps = (length: number) => countRegExpSteps(() => read(repeatUpTo(length, repetition)))
        const steps = countSteps(maxLength / 2)
        expect(countSteps(maxLength), JSON.stringify(repetition)).toBeLessThan(2 * steps + TOLERANCE)
      }
    },
  )

  it.each(BOUNDED_READERS)('does not read longer text in %s', (_name, read, maxLength) => {
    for (const repetition of REPETITIONS) {
      const text = repeatUpTo(10 * maxLength, repetition)
      expect(
        countRegExpSteps(() => read(text)),
        JSON.stringify(repetition),
      ).toBe(0)
    }
  })

  it.each(LINEAR_READERS.filter(([name]) => /^read/.test(name)))(
    'finds at most twice the meanings in twice the text in %s',
    (_name, read, maxLength) => {
      const lookUp = vi.spyOn(Map.prototype, 'get')
      for (const repetition of SAMPLE) {
        const countLookUps = (length: number) => {
          const text = repeatUpTo(length, repetition)
          lookUp.mockClear()
          read(text)
          return lookUp.mock.calls.length
        }
        const count = countLookUps(maxLength / 2)
        expect(countLookUps(maxLength), JSON.stringify(repetition)).toBeLessThan(2.2 * count + 4000)
      }
    },
  )
})
