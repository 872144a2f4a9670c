import { createRefusal, type Refusal } from './reading.ts'
import type { TokenizedText } from './tokens.ts'
import { english } from './vocabularies/english.ts'
import { french } from './vocabularies/french.ts'
import { german } from './vocabularies/german.ts'
import { portuguese } from './vocabularies/portuguese.ts'
import { spanish } from './vocabularies/spanish.ts'
import { createLexicon, type Lexicon, type Synonyms, type Vocabulary } from './vocabulary.ts'
import { zonesOfPlace } from './zone-names.ts'

const VOCABULARIES = new Map<string, Vocabulary>([
  ['en', english],
  ['de', german],
  ['fr', french],
  ['es', spanish],
  ['pt', portuguese],
])

/** Words for dates in languages that Upnext doesn't read, without accents. None of them means anything in English. */
const UNSUPPORTED_LANGUAGE_WORDS = new Set(
  `oggi domani dopodomani ieri lunedi martedi mercoledi giovedi venerdi sabato domenica gennaio febbraio aprile maggio giugno
   luglio settembre ottobre dicembre mattina mezzogiorno mezzanotte pomeriggio sera stasera prossimo prossima settimana settimane
   giorni idag imorgon imorgen ikvall mandag tisdag tirsdag onsdag torsdag fredag lordag sondag klockan vandaag overmorgen gisteren
   maandag dinsdag woensdag donderdag vrijdag zaterdag zondag maart augustus uur ochtend middag avond vanavond vannacht
   morgenochtend morgenmiddag morgenavond volgende dagen`.split(/\s+/),
)
/** Abbreviated weekdays, and words such as "kl." before a time. They count only in their language's locale, before a number. */
const UNSUPPORTED_LANGUAGE_ABBREVIATIONS = new Map<string, RegExp>([
  ['it', /(?<![\w'-])(?:lun|mar|mer|gio|ven|sab|dom|ore)\.?,? ?\d/],
  ['nl', /(?<![\w'-])(?:ma|di|wo|do|vr|za|zo|om)\.?,? ?\d/],
  ['sv', /(?<![\w'-])kl\.? ?\d/],
])

const NON_LATIN_LETTER = /[^\P{L}\p{Script=Latin}]/u

/** The words of the user's language, if Upnext reads it. */
const vocabularyOf = (locale: string | undefined): Vocabulary | undefined =>
  VOCABULARIES.get(languageOf(locale))

const languageOf = (locale: string | undefined): string => locale?.toLowerCase().split(/[-_]/)[0] ?? 'en'

/** Whether Upnext reads the user's language. */
export const isSupportedLocale = (locale: string | undefined): boolean => vocabularyOf(locale) !== undefined

/** Returns a function that finds the lexicon of a locale: English, the user's language and `words`. */
export function createLexiconFinder(words: Synonyms[] = []): (locale: string | undefined) => Lexicon {
  const lexicons = new Map<Vocabulary, Lexicon>()
  return (locale) => {
    const own = vocabularyOf(locale) ?? english
    const lexicon = lexicons.get(own) ?? createLexicon([...new Set([english, own])], words)
    lexicons.set(own, lexicon)
    return lexicon
  }
}

/** Finds the lexicon of a locale. All readers of dates share these lexicons. */
export const lexiconOf = createLexiconFinder()

const MOMENT_EXAMPLES = '"tomorrow 9am", "fri 14:30" or "24 Dec at noon"'
const MIN_FOREIGN_WORD_LENGTH = 4

/** Refuses text in a language that the lexicon lacks. If only half of its words were read, the time would be wrong. */
export function refuseOtherLanguage(
  { plain, tokens }: TokenizedText,
  lexicon: Lexicon,
  locale: string | undefined,
  examples = MOMENT_EXAMPLES,
): Refusal | undefined {
  const isForeign =
    NON_LATIN_LETTER.test(plain) ||
    UNSUPPORTED_LANGUAGE_ABBREVIATIONS.get(languageOf(locale))?.test(plain) ||
    tokens.some(
      ({ word, kind, plainEnd }) =>
        kind === 'word' &&
        !lexicon.words.has(word) &&
        isForeignWord(word, locale) &&
        !endsWithPlaceName(plain.slice(0, plainEnd)),
    )
  if (!isForeign) return undefined
  return refuseLanguage(locale, examples)
}

export function refuseLanguage(locale: string | undefined, examples = MOMENT_EXAMPLES): Refusal {
  const own = vocabularyOf(locale)
  const languages = own && own !== english ? `English or ${own.name}` : 'English'
  return createRefusal('language', `Enter times in ${languages}, such as ${examples}.`)
}

/** Whether the last two words name a place, such as Santo Domingo, whose "domingo" isn't a Sunday. */
const endsWithPlaceName = (text: string): boolean =>
  zonesOfPlace(/\p{L}+[ _]\p{L}+$/u.exec(text)?.[0].replace('_', ' ') ?? '') !== undefined

/**
 * Italian, Dutch and Scandinavian words count only for users of Italian, Dutch, Swedish or English, because French and
 * Spanish share some of them.
 */
const isForeignWord = (word: string, locale: string | undefined): boolean =>
  (UNSUPPORTED_LANGUAGE_WORDS.has(word) && ['en', 'it', 'nl', 'sv'].includes(languageOf(locale))) ||
  (word.length >= MIN_FOREIGN_WORD_LENGTH && foreignWords().has(word))

/** The words of days, months and units in all vocabularies except English. */
const foreignWords = (() => {
  let words: Set<string> | undefined
  return () => {
    words ??= new Set(
      [...VOCABULARIES.values()]
        .filter((vocabulary) => vocabulary !== english)
        .flatMap((vocabulary) => [...createLexicon([vocabulary]).phrases])
        .filter(([, phrases]) =>
          phrases.some(({ meaning, tokens }) => tokens.length === 1 && DATE_TYPES.has(meaning.type)),
        )
        .map(([word]) => word),
    )
    return words
  }
})()

const DATE_TYPES = new Set(
  'weekday weekdays month unit partOfDay relativeDay NOON MIDNIGHT CLOCK NEXT NEXT_AFTER'.split(' '),
)
