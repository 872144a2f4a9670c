import { at, type Draft, foundClock } from '../../draft.ts'
import { type Refusal, refuse } from '../../reading.ts'

export const noSuchTime = refuse('invalid', 'There is no such time of day. Write it as 9:30, 2pm or 14:30.')

/** Of a day of twenty-four hours it would be written with a zero, or it is past twelve. */
export const isOpenHour = (hour: string): boolean => /^(?:[1-9]|1[0-2])$/.test(hour)

/** A time as written: figures, as far as there are any, and am or pm. */
type Written = {
  hour: string | number | undefined
  minute?: string | number | undefined
  second?: string | number | undefined
  meridiem?: string | undefined
  /** Where morning and afternoon are both possible: with minutes, or the bare hour. */
  open?: 'bare' | 'minutes' | undefined
}

export function timeOfDay(draft: Draft, written: Written): string | Refusal {
  const [hour, minute, second] = [
    Number(written.hour),
    Number(written.minute ?? 0),
    Number(written.second ?? 0),
  ]
  const { meridiem, open } = written
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && minute > 0)) return noSuchTime
  if (!meridiem)
    return foundClock(draft, {
      clock: at(hour % 24, minute, second),
      ...(open && { open }),
      ...(hour === 24 && { isMidnight: true as const }),
    })
  const isPm = meridiem.startsWith('p')
  if (hour > 23 || (hour === 0 && isPm)) return noSuchTime
  if (hour > 12) {
    draft.doubt = `Do you mean ${hour}:${String(minute).padStart(2, '0')}?`
    return foundClock(draft, { clock: at(hour, minute, second) })
  }
  return foundClock(draft, { clock: at((hour % 12) + (isPm ? 12 : 0), minute, second) })
}
