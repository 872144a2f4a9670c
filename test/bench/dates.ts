import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as chrono from 'chrono-node'
import { DateTime } from 'luxon'
import { readWhen } from '../../src/time/read-when.ts'
import type { Reading } from '../../src/time/reading.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { median } from './load.ts'

/**
 * Reads files of JSON lines, each a text with the moment that it means, and tells how often `readWhen` gets it right,
 * beside chrono as it comes. A row with `why` is no moment at all. A question whose first choice fits counts as right,
 * and how many questions there were is told beside it.
 */
type Row = {
  text: string
  reference: string
  zone?: string
  locale?: string
  source?: string
  tags?: string[]
  grain?: 'second' | 'minute' | 'hour' | 'day' | 'part' | 'time'
  expected?: string | { refuse: string }
  end?: string
  accept?: string[]
  policy?: string
  alt?: string
  why?: string
}

const VERDICTS = ['right', 'wrong', 'asked', 'refused'] as const
type Verdict = (typeof VERDICTS)[number]

const args = process.argv.slice(2)
const showsRows = args.includes('--rows')
const files = args.filter((arg) => !arg.startsWith('--'))
if (!files.length) {
  console.error('Usage: npm run bench:dates -- FILE... [--rows]')
  process.exit(1)
}
const rows = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Row => ({ source: basename(file, '.jsonl'), ...JSON.parse(line) })),
)
const moments = rows.filter(({ why }) => why === undefined)
const negatives = rows.filter(({ why }) => why !== undefined)

const READERS = { readWhen: readOurs, chrono: readChrono }
for (const [name, read] of Object.entries(READERS)) {
  console.log(`\n# ${name}`)
  if (moments.length) {
    const judged = moments
      .map((row) => ({ row, reading: read(row, contextOf(row)) }))
      .map((one) => ({ ...one, verdict: verdictOn(one.row, one.reading) }))
    table('all', [['all', judged]])
    const asked = judged.filter(({ reading }) => reading.kind === 'question')
    const first = asked.filter(({ verdict }) => verdict === 'right').length
    console.log(
      `${asked.length} were questions (${percent(asked.length, judged.length)}); ${first} of them count as right by their first choice or the policy`,
    )
    table(
      'source',
      groups(judged, ({ row }) => [row.source ?? '']),
    )
    table(
      'tag',
      groups(judged, ({ row }) => row.tags ?? []),
    )
    const core = judged.filter(({ row }) => isCore(row))
    if (core.length) table('neutral core', [['neutral core', core]])
    if (showsRows && read === readOurs)
      for (const { row, reading, verdict } of judged)
        if (verdict !== 'right')
          console.log(verdict.padEnd(8), isCore(row) ? 'core' : '    ', show(row, reading))
  }
  if (negatives.length) {
    const turned = negatives
      .map((row) => ({ row, reading: read(row, contextOf(row)) }))
      .filter(({ reading }) => reading.kind === 'moment')
    console.log(
      `\n${turned.length} of ${negatives.length} that are no moment were turned into one (${percent(turned.length, negatives.length)})`,
    )
    if (showsRows && read === readOurs)
      for (const { row, reading } of turned) console.log('turned  ', row.why, '|', show(row, reading))
  }
  console.log(`${perSecond(read)} readings a second`)
}
hostile()

/** A reading for comparison: chrono has only moments and none. */
type Read = Pick<Reading, 'kind'> & { at?: DateTime; choices?: { at: DateTime }[]; reason?: string }

function readOurs({ text, locale }: Row, { now, zone }: Context): Read {
  return readWhen(text, { now, zone, locale })
}

function readChrono({ text }: Row, { now, zone, offset }: Context): Read {
  const found = chrono.casual.parseDate(text, { instant: now, timezone: offset }, { forwardDate: true })
  return found ? { kind: 'moment', at: DateTime.fromJSDate(found, { zone }) } : { kind: 'refusal' }
}

type Context = { now: Date; zone: string; offset: number }

function contextOf({ reference, zone = 'floating' }: Row): Context {
  const at = DateTime.fromISO(reference, { setZone: true })
  const isNamed = zone.includes('/')
  const hours = at.offset / 60
  const fixed = hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  return { now: at.toJSDate(), zone: isNamed ? zone : fixed, offset: at.offset }
}

function verdictOn(row: Row, reading: Read): Verdict {
  const refusal = typeof row.expected === 'object'
  if (reading.kind === 'question') {
    const first = reading.choices?.[0]?.at
    if (row.policy && (!row.alt || matches(row, first, row.alt))) return 'right'
    return !refusal && matches(row, first) ? 'right' : 'asked'
  }
  if (reading.kind === 'refusal') return refusal ? 'right' : 'refused'
  return !refusal && matches(row, reading.at) ? 'right' : 'wrong'
}

function matches(row: Row, at: DateTime | undefined, expected = row.expected): boolean {
  if (!at || typeof expected !== 'string') return false
  if (/[+-]\d\d:\d\d$|Z$/.test(expected)) return at.toMillis() === DateTime.fromISO(expected).toMillis()
  const wall = at.setZone(contextOf(row).zone).toFormat("yyyy-MM-dd'T'HH:mm:ss")
  return [expected, ...(row.accept ?? [])].some((one) => {
    switch (row.grain) {
      case 'day':
        return wall.slice(0, 10) === one.slice(0, 10)
      case 'hour':
        return wall.slice(0, 13) === one.slice(0, 13)
      case 'second':
        return wall === one
      case 'time':
        return wall.slice(11, 11 + 5) === one.slice(0, 5)
      case 'part':
        return wall >= one && wall < (row.end ?? '')
      default:
        return wall.slice(0, 16) === one.slice(0, 16)
    }
  })
}

function isCore({ source = '', tags = [] }: Row): boolean {
  const others = ['chrono-tests', 'recognizers', 'sherlock', 'sugar', 'compromise', 'phrases']
  return !others.includes(source) && !tags.includes('holiday') && !tags.includes('convention')
}

type Judged = { row: Row; reading: Read; verdict: Verdict }

function groups(judged: Judged[], keysOf: (one: Judged) => string[]): [string, Judged[]][] {
  const map = new Map<string, Judged[]>()
  for (const one of judged) for (const key of keysOf(one)) map.set(key, [...(map.get(key) ?? []), one])
  return [...map].sort(([, a], [, b]) => b.length - a.length)
}

function table(name: string, lines: [string, Judged[]][]): void {
  console.log(`\n${name.padEnd(24)} rows   ${VERDICTS.map((verdict) => verdict.padStart(14)).join('')}`)
  for (const [key, judged] of lines) {
    const cells = VERDICTS.map((verdict) => judged.filter((one) => one.verdict === verdict).length)
    console.log(
      `${key.padEnd(24)} ${String(judged.length).padStart(4)}   ${cells.map((count) => `${count} (${percent(count, judged.length)})`.padStart(14)).join('')}`,
    )
  }
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`
}

function show(row: Row, reading: Read): string {
  const zone = contextOf(row).zone
  const times = [reading.at, ...(reading.choices ?? []).map(({ at }) => at)].filter((at) => at !== undefined)
  const read = times.map((at) => at.setZone(zone).toFormat("yyyy-MM-dd'T'HH:mm")).join(', ')
  return `${row.text} | ${row.reference.slice(0, 16)} ${row.locale ?? ''} ${row.grain ?? ''} => ${JSON.stringify(row.expected)} but ${reading.kind} ${reading.reason ?? ''} ${read} [${row.source}]`
}

/** The median of five rounds of half a second and more, each over all rows; what they are read against is ready before. */
function perSecond(read: (row: Row, context: Context) => Read): number {
  const prepared = rows.map((row) => ({ row, context: contextOf(row) }))
  const rounds = [1, 2, 3, 4, 5].map(() => {
    const started = performance.now()
    let count = 0
    while (performance.now() - started < 500) {
      for (const { row, context } of prepared) read(row, context)
      count += prepared.length
    }
    return count / ((performance.now() - started) / 1000)
  })
  return Math.round(median(rounds))
}

function hostile(): void {
  const now = new Date('2026-11-20T12:00:00Z')
  const times = hostileTexts(10_000).map((text) => {
    const started = performance.now()
    readWhen(text, { now, zone: 'Europe/Berlin' })
    return { text, took: performance.now() - started }
  })
  times.sort((a, b) => b.took - a.took)
  const [slowest] = times
  console.log(
    `\n10,000 hostile texts: median ${median(times.map(({ took }) => took)).toFixed(3)} ms, slowest ${slowest?.took.toFixed(2)} ms (${JSON.stringify(slowest?.text.slice(0, 60))})`,
  )
}
