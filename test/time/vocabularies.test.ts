import { describe, expect, it } from 'vitest'
import { COMMAND_WORDS, commandGrammar } from '../../src/post-command/command-words.ts'
import {
  momentGrammar,
  newTimeGrammar,
  rangeGrammar,
  recurrenceGrammar,
} from '../../src/time/grammar/grammar.ts'
import { english } from '../../src/time/vocabularies/english.ts'
import { french } from '../../src/time/vocabularies/french.ts'
import { german } from '../../src/time/vocabularies/german.ts'
import { portuguese } from '../../src/time/vocabularies/portuguese.ts'
import { spanish } from '../../src/time/vocabularies/spanish.ts'
import { UNITS } from '../../src/time/vocabulary.ts'

const GRAMMARS = [momentGrammar, newTimeGrammar, rangeGrammar, recurrenceGrammar, commandGrammar]
const RULES = GRAMMARS.flatMap((grammar) => [...grammar.values()].flat().map(({ rule }) => rule))
const PARTS = new Set(RULES.flatMap(({ parts }) => parts.flatMap(({ types }) => types)))
/** Words that a cover may contain, but no rule. */
const WORDS_OF_COVERS = ['FILLER', 'FREQUENCY', 'INSTEAD', 'GREETING']
/** Types that don't come from a vocabulary. */
const OTHER_WORDS = [
  ...['COMMA', 'PERIOD', 'DASH', 'SLASH', 'COLON', 'ORDINAL', 'WORD'],
  ...UNITS.map((unit) => unit.toUpperCase()),
  ...COMMAND_WORDS.map(({ type }) => type),
  ...RULES.map(({ type }) => type),
]

describe.each([english, german, french, spanish, portuguese])(
  'the vocabulary of $name',
  ({ words, ...rest }) => {
    it('has only words that a rule uses', () => {
      const unused = Object.keys(words).filter((word) => !PARTS.has(word) && !WORDS_OF_COVERS.includes(word))
      expect(unused).toEqual([])
    })

    it('has all weekdays, months and numbers', () => {
      expect(rest.weekdays).toHaveLength(7)
      expect(rest.weekdayPlurals).toHaveLength(7)
      expect(rest.months.split(/\s+/)).toHaveLength(12)
      expect(rest.numbers.split(/\s+/)).toHaveLength(20)
      expect(rest.tens.split(/\s+/)).toHaveLength(4)
    })
  },
)

describe('the rules', () => {
  it('use only words that a vocabulary has', () => {
    const known = [english, german, french, spanish, portuguese].flatMap(({ words }) => Object.keys(words))
    const capitals = [...PARTS].filter((part) => part === part.toUpperCase())
    expect(capitals.filter((part) => !known.includes(part) && !OTHER_WORDS.includes(part))).toEqual([])
  })
})
