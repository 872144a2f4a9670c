import { offsetLabel } from '../describe.ts'
import { ABBREVIATIONS } from './abbreviations.ts'
import { zonesAt } from './offsets.ts'
import type { Places } from './places.ts'

/** The zone that a text names, with other zones that the words may mean, and the text without it. */
export type TakenZone = { text: string; named: NamedZone | undefined }

/** A zone, and the offset that the words demand of it, in minutes. */
export type ZoneOption = { zone: string; offset?: number }

export type NamedZone = {
  /** As written. */
  words: string
  options: ZoneOption[]
}

const TIME = "(?:\\d{1,2}(?:[:.h]\\d{2}(?::\\d{2})?)?(?: ?[ap]\\.?m?\\.?)?|noon|midnight|midday|o'?clock|eod)"

export function takeZone(text: string, places: Places): TakenZone {
  for (const take of [takeIana, takeOffset, takeAbbreviation, takePlace]) {
    const taken = take(text, places)
    if (taken) return { text: taken.text.replace(/\s+/g, ' ').trim(), named: taken.named }
  }
  return { text, named: undefined }
}

type Take = (text: string, places: Places) => TakenZone | undefined

/** Out of where it stands: the same letters may stand elsewhere in other words. */
const cut = (text: string, { index, 0: words }: RegExpExecArray): string =>
  `${text.slice(0, index)} ${text.slice(index + words.length)}`

/** "Europe/Berlin", "America/Argentina/Ushuaia" */
const takeIana: Take = (text, places) => {
  const match = /(?:\bin )?(?<![\w/])([a-z_]{2,20}(?:\/[a-z_+-]{2,20}\d{0,2}){1,2})(?: time)?(?![\w/])/.exec(
    text,
  )
  const zone = match && places.zoneNamed(match[1] ?? '')
  return zone ? { text: cut(text, match), named: { words: zone, options: [{ zone }] } } : undefined
}

/** "UTC+2", "GMT-05:30", "14:00+02:00", "14:00Z"; a time with a hyphen behind it and another time is a range. */
const takeOffset: Take = (text) => {
  const match =
    /\b(?:utc|gmt) ?([+-]) ?(\d{1,2})(?::?(\d{2}))?(?!\d)(?: time)?/.exec(text) ??
    /(?<=\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)? ?|\d ?[ap]m )(\+)(\d{2}):?(\d{2})(?!\d)/.exec(text) ??
    /(?<=\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(-)(\d{2}):?(\d{2})(?!\d)/.exec(text)
  if (match) {
    const minutes = (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0))
    return { text: cut(text, match), named: { words: offsetLabel(minutes), options: zonesAt(minutes) } }
  }
  const zulu = /(?<=\d{2}:?\d{2}(?::\d{2}(?:[.,]\d+)?)?)z\b/.exec(text)
  return zulu ? { text: cut(text, zulu), named: { words: 'UTC', options: [{ zone: 'UTC' }] } } : undefined
}

const LETTERS = [...ABBREVIATIONS.keys()].join('|')
/** Letters that are words too have to stand right behind a time. */
const BEHIND_TIME = new RegExp(
  `(?<=${TIME},? ?)\\(?(?:\\b|(?<=\\d(?: ?[ap]m)?))(${LETTERS})\\b\\)?(?: time)?|^(${LETTERS}) (?=\\d)`,
)
const ANYWHERE = new RegExp(
  `\\b(${[...ABBREVIATIONS.keys()].filter((key) => !/^(art|west|et|pt|ct|mt|wet|ist|ast|mst|hst)$/.test(key)).join('|')})\\b(?: time)?|\\b(${LETTERS}) time\\b|\\b(et|pt|ct|mt|ist|mst|ast|hst|wet|west)$`,
)

const takeAbbreviation: Take = (text) => {
  const match = BEHIND_TIME.exec(text) ?? ANYWHERE.exec(text)
  const letters = match && (match[1] ?? match[2] ?? match[3])
  const options = letters && ABBREVIATIONS.get(letters)
  return options ? { text: cut(text, match), named: { words: letters.toUpperCase(), options } } : undefined
}

/** "Berlin time", "eastern", "in Tokyo", "9am Sydney"; "my time" is no other zone. */
const takePlace: Take = (text, places) => {
  const own = /\b(?:my|local|our)(?: local)? time\b/.exec(text)
  if (own) return { text: cut(text, own), named: undefined }
  const match =
    /(?:\b(?:in|at) )?((?:[a-z][a-z.'-]+ ){0,3}[a-z][a-z.'-]+?)(?: (?:standard|daylight|summer))? time\b/.exec(
      text,
    ) ??
    new RegExp(
      `(?<=${TIME},? )(?:in |at )?([a-z][a-z.'-]+(?: [a-z][a-z.'-]+){0,2}?)(?= (?:on|tomorrow|today|next|this|mon|tue|wed|thu|fri|sat|sun)|,|$)`,
    ).exec(text) ??
    /\bin ([a-z][a-z.'-]+(?: [a-z][a-z.'-]+){0,2})$/.exec(text) ??
    /\b(eastern|pacific)$/.exec(text)
  if (!match) return undefined
  const words = (match[1] ?? '')
    .replace(/ (?:standard|daylight|summer)$/, '')
    .trim()
    .split(' ')
  for (let from = 0; from < words.length; from++) {
    const name = words.slice(from).join(' ')
    const zones = places.zonesOf(name)
    if (!zones?.length) continue
    const start = match.index + match[0].indexOf(name)
    const before = text.slice(0, start).replace(/\b(?:in|at) $/, '')
    return {
      text: `${before} ${text.slice(match.index + match[0].length)}`,
      named: { words: name, options: zones.map((zone) => ({ zone })) },
    }
  }
  return undefined
}
