import {
  PLATFORM_NAMES,
  PLATFORMS,
  type Platform,
  UNSUPPORTED_NETWORKS,
} from '../platforms/platform-names.ts'
import { compileRules, createRuleAdder, type Rule } from '../time/chart.ts'
import { momentRules } from '../time/grammar/grammar.ts'
import type { Values } from '../time/grammar/values.ts'
import { isDayOnly, isTimeOnly, type Point } from '../time/point.ts'
import type { LocalContext, RefusalReason } from '../time/reading.ts'
import type { Synonyms } from '../time/vocabulary.ts'
import {
  FOREIGN_DRAFT_WORDS,
  FOREIGN_POLITE_WORDS,
  REQUEST_OPENERS,
  REQUEST_VERBS,
  THANKS,
} from './request-words.ts'

/** Consecutive platforms, perhaps with unknown networks between them. */
export type PlatformList = {
  platforms: Platform[]
  hasPreposition: boolean
  /** Whether some are excluded: "everywhere except X" */
  hasException?: boolean
  isEverywhere?: boolean
}
/** A time, which may be one that no post can have, such as "every monday". */
export type CommandTime = { points: Point[]; problem?: RefusalReason }

/** A noun such as "Entwurf" may be a word of the text, except at the start of the text. */
export type CommandDraft = { isClear: boolean; isClearAtEnd?: true; isNoun?: true }

type CommandValues = Values & {
  platform: Platform[]
  name: PlatformList
  list: PlatformList
  platforms: PlatformList
  time: CommandTime
  draft: CommandDraft
  request: true
}

const COLLECTIVE_NAMES = ['platforms', 'channels', 'networks', 'socials', 'social', 'accounts'].flatMap(
  (name) => [`all ${name}`, `all the ${name}`, `all our ${name}`, `all of the ${name}`],
)

const WORDS_WITHOUT_VALUE = {
  NETWORK: UNSUPPORTED_NETWORKS,
  EVERYWHERE: 'everywhere',
  VIA: 'via',
  PLUS: 'plus',
  AND: 'n',
  AS_DRAFT: `as a draft, as draft, save as draft, save as a draft, save it as a draft, save it as draft, save this as a draft,
    keep as a draft, keep it as a draft, keep this as a draft, as a draft please,
    als entwurf speichern, enregistrer en brouillon, guardar como borrador, salvar como rascunho`,
  AS_FOREIGN_DRAFT: 'als entwurf, en brouillon, comme brouillon, como borrador, como rascunho',
  DRAFT: 'draft',
  DRAFT_NOUN: FOREIGN_DRAFT_WORDS.join(', '),
  PLEASE: REQUEST_OPENERS.join(', '),
  REQUEST: `${REQUEST_VERBS.join(', ')}, schedule out, send out, to be published, to be posted, to be scheduled`,
  THANKS: [...THANKS, ...FOREIGN_POLITE_WORDS].join(', '),
  IT: 'it, this',
  ALL_BUT: 'except, but, but not, excluding, apart from',
}

/** The words of a command, except those for times. */
export const COMMAND_WORDS: Synonyms[] = [
  ...PLATFORMS.map((platform): Synonyms => {
    const words = PLATFORM_NAMES[platform].join(', ')
    return { words, type: 'platform', value: [platform], isSpellChecked: true }
  }),
  { words: COLLECTIVE_NAMES.join(', '), type: 'platform', value: PLATFORMS },
  ...Object.entries(WORDS_WITHOUT_VALUE).map(([type, words]) => ({ words, type, value: null })),
]

const rules: Rule[] = []
const rule = createRuleAdder<CommandValues, LocalContext>(rules)

rule('name', 'platform', (platforms) => ({ platforms, hasPreposition: false }))
rule('name', 'EVERYWHERE', () => ({ platforms: PLATFORMS, hasPreposition: false, isEverywhere: true }))
rule('name', 'NETWORK', () => ({ platforms: [], hasPreposition: false }))
rule('list', 'name', (name) => name)
rule(
  'list',
  'name COMMA|AND|PLUS|SLASH list; name COMMA AND|PLUS list; name COMMA|AND|PLUS ON|TO|FOR|VIA|AT list',
  (a, b) => joinLists(a, b),
)
// In "Film once, post everywhere yt + tt", "everywhere" belongs to the text.
rule('list', 'name list', (a, b) => (a.isEverywhere || b.isEverywhere ? undefined : joinLists(a, b)))
// "everywhere except X"
rule('list', 'name COMMA? ALL_BUT ON|TO|FOR|VIA? list', (all, excluded) =>
  all.platforms.length === PLATFORMS.length
    ? {
        platforms: all.platforms.filter((platform) => !excluded.platforms.includes(platform)),
        hasPreposition: false,
        hasException: true,
      }
    : undefined,
)
rule('list', 'name COMMA|AND|PLUS|SLASH WORD COMMA|AND|PLUS|SLASH list', (a, b) => joinLists(a, b))
rule('platforms', 'list EXACTLY?', (list) => (list.platforms.length ? list : undefined))
rule('platforms', 'ON|TO|FOR|VIA|AT list', (list) =>
  list.platforms.length ? { ...list, hasPreposition: true } : undefined,
)

export const joinLists = (a: PlatformList, b: PlatformList): PlatformList => ({
  platforms: [...new Set([...a.platforms, ...b.platforms])],
  hasPreposition: false,
})

rule('time', 'point', (point) => (namesTime(point) ? { points: [point] } : undefined))
rule('time', 'point WORD TIME', 0.3, ({ time }) =>
  time ? { points: [], problem: 'unknown-zone' } : undefined,
)
rule('time', 'pair', (points) => ({ points }))
// The cost makes "a las 9" a time of day rather than the end of a range.
rule('time', 'refused', 0.05, (problem) => ({ points: [], problem }))
rule('refused', 'EVERY OTHER? point|unit|weekdays; EVERY OTHER? WEEKDAYS|WEEKEND', () => 'recurrence')
rule('time', 'problem', 0.05, ({ reason }) => ({ points: [], problem: reason }))
rule('time', 'problem COMMA? point', ({ reason }) => ({ points: [], problem: reason }))
rule('time', 'point COMMA? AT? problem', (_point, { reason }) => ({ points: [], problem: reason }))
rule('refused', 'NOT point', () => 'nonsense')
rule('refused', 'refused COMMA? point', (reason, point) => (isTimeOnly(point) ? reason : undefined))
rule('refused', 'point COMMA? refused', (point, reason) =>
  isTimeOnly(point) || (isDayOnly(point) && (reason === 'range' || reason === 'open-ended'))
    ? reason
    : undefined,
)

/** A part of the day alone, as in "Good morning", belongs to the post. */
const namesTime = ({ day, time, fromNow, impliedDay }: Point): boolean =>
  Boolean(day || time || fromNow || impliedDay !== undefined)

rule('draft', 'AS_DRAFT', () => ({ isClear: true }))
rule('draft', 'AS_FOREIGN_DRAFT', () => ({ isClear: false, isClearAtEnd: true }))
rule('draft', 'DRAFT', () => ({ isClear: false }))
rule('draft', 'DRAFT_NOUN', () => ({ isClear: false, isNoun: true }))
rule('request', 'PLEASE? REQUEST IT? FOR|ON|AT|TO?; PLEASE REQUEST? IT?', () => true as const)

export const commandGrammar = compileRules([...momentRules, ...rules])
