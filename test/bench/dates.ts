import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as chrono from 'chrono-node'
import { DateTime } from 'luxon'
import { readWhen } from '../../src/time/read-when.ts'
import type { Reading } from '../../src/time/reading.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { median } from './load.ts'

/**
 * A line of a data file: a text and the moment that it names. A row with `why` names no single moment. A question counts
 * as right if its first choice is the expected moment.
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

const SCORES = ['right', 'wrong', 'asked', 'refused'] as const
type Score = (typeof SCORES)[number]

const ROUNDS = 9
const ROWS_PER_TURN = 50

const args = process.argv.slice(2)
const shouldShowRows = args.includes('--rows')
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
const momentRows = rows.filter(({ why }) => why === undefined)
const otherRows = rows.filter(({ why }) => why !== undefined)

for (const [name, read] of [
  ['readWhen', readWithUpnext],
  ['chrono', readWithChrono],
] as const) {
  console.log(`\n# ${name}`)
  const canShowRows = shouldShowRows && read === readWithUpnext
  if (momentRows.length) reportMomentRows(read, canShowRows)
  if (otherRows.length) reportOtherRows(read, canShowRows)
}
if (momentRows.length) measureSpeed()
measureHostileTexts()

/** A reading in a form that both readers can return. */
type ComparableReading = Pick<Reading, 'kind'> & {
  at?: DateTime
  choices?: { at: DateTime }[]
  reason?: string
}
type Reader = (row: Row, context: Context) => ComparableReading
type Context = { now: Date; zone: string; offset: number }

function readWithUpnext({ text, locale }: Row, { now, zone }: Context): ComparableReading {
  return readWhen(text, { now, zone, locale })
}

function readWithChrono({ text }: Row, { now, zone, offset }: Context): ComparableReading {
  const date = chrono.casual.parseDate(text, { instant: now, timezone: offset }, { forwardDate: true })
  return date ? { kind: 'moment', at: DateTime.fromJSDate(date, { zone }) } : { kind: 'refusal' }
}

function contextOf({ reference, zone = 'floating' }: Row): Context {
  const at = DateTime.fromISO(reference, { setZone: true })
  const hours = at.offset / 60
  const offsetZone = hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  return { now: at.toJSDate(), zone: zone.includes('/') ? zone : offsetZone, offset: at.offset }
}

function scoreReading(row: Row, reading: ComparableReading): Score {
  const expectsRefusal = typeof row.expected === 'object'
  if (reading.kind === 'question') {
    const firstChoice = reading.choices?.[0]?.at
    if (row.policy && (!row.alt || isExpected(row, firstChoice, row.alt))) return 'right'
    return !expectsRefusal && isExpected(row, firstChoice) ? 'right' : 'asked'
  }
  if (reading.kind === 'refusal') return expectsRefusal ? 'right' : 'refused'
  return !expectsRefusal && isExpected(row, reading.at) ? 'right' : 'wrong'
}

function isExpected(row: Row, at: DateTime | undefined, expected = row.expected): boolean {
  if (!at || typeof expected !== 'string') return false
  if (/[+-]\d\d:\d\d$|Z$/.test(expected)) return at.toMillis() === DateTime.fromISO(expected).toMillis()
  const localTime = at.setZone(contextOf(row).zone).toFormat("yyyy-MM-dd'T'HH:mm:ss")
  return [expected, ...(row.accept ?? [])].some((candidate) => {
    switch (row.grain) {
      case 'day':
        return localTime.slice(0, 10) === candidate.slice(0, 10)
      case 'hour':
        return localTime.slice(0, 13) === candidate.slice(0, 13)
      case 'second':
        return localTime === candidate
      case 'time':
        return localTime.slice(11, 16) === candidate.slice(0, 5)
      case 'part':
        return localTime >= candidate && localTime < (row.end ?? '')
      default:
        return localTime.slice(0, 16) === candidate.slice(0, 16)
    }
  })
}

type ScoredRow = { row: Row; reading: ComparableReading; score: Score }

function reportMomentRows(read: Reader, canShowRows: boolean): void {
  const scored = momentRows.map((row): ScoredRow => {
    const reading = read(row, contextOf(row))
    return { row, reading, score: scoreReading(row, reading) }
  })
  printTable('all', [['all', scored]])
  const questions = scored.filter(({ reading }) => reading.kind === 'question')
  const rightQuestions = questions.filter(({ score }) => score === 'right').length
  console.log(
    `${questions.length} were questions (${formatPercent(questions.length, scored.length)}); ${rightQuestions} of them count as right by their first choice or the policy`,
  )
  printTable(
    'source',
    groupRows(scored, ({ source = '' }) => [source]),
  )
  printTable(
    'tag',
    groupRows(scored, ({ tags = [] }) => tags),
  )
  const core = scored.filter(({ row }) => isInNeutralCore(row))
  if (core.length) printTable('neutral core', [['neutral core', core]])
  if (!canShowRows) return
  for (const { row, reading, score } of scored)
    if (score !== 'right')
      console.log(score.padEnd(8), isInNeutralCore(row) ? 'core' : '    ', formatRow(row, reading))
}

function reportOtherRows(read: Reader, canShowRows: boolean): void {
  const misread = otherRows
    .map((row) => ({ row, reading: read(row, contextOf(row)) }))
    .filter(({ reading }) => reading.kind === 'moment')
  console.log(
    `\n${misread.length} of ${otherRows.length} texts without a single moment were read as one (${formatPercent(misread.length, otherRows.length)})`,
  )
  if (canShowRows)
    for (const { row, reading } of misread) console.log('misread ', row.why, '|', formatRow(row, reading))
}

/** Rows that do not follow the conventions of one library's author. */
function isInNeutralCore({ source = '', tags = [] }: Row): boolean {
  const excluded = ['chrono-tests', 'recognizers', 'sherlock', 'sugar', 'compromise', 'phrases']
  return !excluded.includes(source) && !tags.includes('holiday') && !tags.includes('convention')
}

function groupRows(scored: ScoredRow[], keysOf: (row: Row) => string[]): [string, ScoredRow[]][] {
  const groups = new Map<string, ScoredRow[]>()
  for (const scoredRow of scored)
    for (const key of keysOf(scoredRow.row)) groups.set(key, [...(groups.get(key) ?? []), scoredRow])
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}

function printTable(name: string, lines: [string, ScoredRow[]][]): void {
  console.log(`\n${name.padEnd(24)} rows   ${SCORES.map((score) => score.padStart(14)).join('')}`)
  for (const [key, scored] of lines) {
    const cells = SCORES.map((score) => {
      const count = scored.filter((row) => row.score === score).length
      return `${count} (${formatPercent(count, scored.length)})`.padStart(14)
    })
    console.log(`${key.padEnd(24)} ${String(scored.length).padStart(4)}   ${cells.join('')}`)
  }
}

function formatPercent(part: number, total: number): string {
  return `${((100 * part) / total).toFixed(1)} %`
}

function formatRow(row: Row, reading: ComparableReading): string {
  const { zone } = contextOf(row)
  const moments = [reading.at, ...(reading.choices ?? []).map(({ at }) => at)].filter(
    (at) => at !== undefined,
  )
  const readings = moments.map((at) => at.setZone(zone).toFormat("yyyy-MM-dd'T'HH:mm")).join(', ')
  return `${row.text} | ${row.reference.slice(0, 16)} ${row.locale ?? ''} ${row.grain ?? ''} => ${JSON.stringify(row.expected)} but ${reading.kind} ${reading.reason ?? ''} ${readings} [${row.source}]`
}

/** Compares the readers in short turns, because the speed of a machine changes from one second to the next. */
function measureSpeed(): void {
  const prepared = momentRows.map((row) => ({ row, context: contextOf(row) }))
  const rounds = Array.from({ length: ROUNDS }, () => {
    let [ownMs, chronoMs] = [0, 0]
    for (let start = 0; start < prepared.length; start += ROWS_PER_TURN) {
      const turn = prepared.slice(start, start + ROWS_PER_TURN)
      const startedAt = performance.now()
      for (const { row, context } of turn) readWithUpnext(row, context)
      const changedAt = performance.now()
      for (const { row, context } of turn) readWithChrono(row, context)
      ownMs += changedAt - startedAt
      chronoMs += performance.now() - changedAt
    }
    const perSecond = (ms: number) => (1000 * prepared.length) / ms
    return { own: perSecond(ownMs), chrono: perSecond(chronoMs), ratio: chronoMs / ownMs }
  })
  const medianOf = (key: 'own' | 'chrono' | 'ratio') => median(rounds.map((round) => round[key]))
  console.log(
    `\n${Math.round(medianOf('own'))} moments a second, chrono ${Math.round(medianOf('chrono'))} (${medianOf('ratio').toFixed(2)} of chrono's)`,
  )
}

function measureHostileTexts(): void {
  const now = new Date('2026-11-20T12:00:00Z')
  const results = hostileTexts(10_000).map((text) => {
    const startedAt = performance.now()
    readWhen(text, { now, zone: 'Europe/Berlin' })
    return { text, durationMs: performance.now() - startedAt }
  })
  results.sort((a, b) => b.durationMs - a.durationMs)
  const [slowest] = results
  console.log(
    `\n10,000 hostile texts: median ${median(results.map(({ durationMs }) => durationMs)).toFixed(3)} ms, slowest ${slowest?.durationMs.toFixed(2)} ms (${JSON.stringify(slowest?.text.slice(0, 60))})`,
  )
}
