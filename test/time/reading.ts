import { type Reading, readWhen, type WhenContext } from '../../src/time/read-when.ts'

/** Friday, 20 November 2026, 13:05 in Berlin: within the week, past noon, five weeks after the clocks went back. */
export const now = new Date('2026-11-20T12:05:00Z')
export const berlin: WhenContext = { now, zone: 'Europe/Berlin' }

/** A reading in short: the wall clock with its zone's offset, choices with question marks, or why not. */
export function inShort(reading: Reading): string {
  if (reading.kind === 'refusal') return `no: ${reading.reason}`
  if (reading.kind === 'question') return `${reading.choices.map(({ at }) => wall(at)).join(' or ')}?`
  return wall(reading.at)
}

const wall = (at: { toFormat(format: string): string }) =>
  at.toFormat('ccc d MMM yyyy HH:mm ZZ').replace(' 2026', '')

export const readShort = (text: string, context = berlin): string => inShort(readWhen(text, context))
