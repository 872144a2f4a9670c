import { type EdgeFields, isWholeTime } from './command-fields.ts'
import { type CommandText, type FoundTime, STRENGTHS } from './command-time.ts'
import { joinLists, type PlatformList } from './command-words.ts'
import { findTails } from './fields-at-end.ts'
import { findHeads } from './fields-at-start.ts'

/** The fields that were found in a command. */
export type Fields = {
  head?: EdgeFields | undefined
  tail?: EdgeFields | undefined
  time?: FoundTime | undefined
  /** The time at the other end of the command, if the user may mean either. */
  otherTime?: FoundTime | undefined
  list?: PlatformList | undefined
  /** Whether the command contains only fields. */
  hasNoText?: boolean
}

/** Decides which of the fields at the two ends of the text are meant. */
export function chooseFields(command: CommandText): Fields {
  const { text } = command
  const allHeads = findHeads(command)
  const allTails = findTails(
    command,
    allHeads.some(({ time }) => time && isWholeTime(time)),
  )
  // "Hello" is a filler word between two fields in "LinkedIn: hello tomorrow 9am", but it is also the whole text of the post.
  const textStart = Math.max(0, ...allHeads.map(({ end }) => end))
  const possibleTails = allTails.filter(
    ({ start, hasWords }) =>
      (!hasWords || text.slice(textStart, start).trim()) && !endsInQuotation(text, start),
  )
  const [longestTail] = possibleTails
  const wholeTime = allHeads.find(({ time }) => time && isWholeTime(time))?.time
  // In "12:30 tomorrow 9am" and "friday 9am on X tomorrow", two times share a word, so neither time is certain.
  if (
    longestTail?.time &&
    wholeTime &&
    longestTail.start > wholeTime.start &&
    longestTail.start < wholeTime.end
  )
    return { list: longestTail.list ?? allHeads.find(({ list }) => list)?.list }
  if (longestTail && !text.slice(0, longestTail.start).trim())
    return { ...combineFields(undefined, longestTail), hasNoText: true }
  const headsBefore = (tail: EdgeFields | undefined) =>
    allHeads
      .filter(({ end }) => !tail || text.slice(0, end).trimEnd().length <= tail.start)
      // In "ig Metall on strike tomorrow 9am on X", "ig" belongs to the text.
      .filter(({ time, isSeparated }) => time || isSeparated || !tail?.list)
      // In "LinkedIn: 24 Nov 9am New whitepaper", the head with the time is the one that counts.
      .filter(
        ({ platformsMayBeText }) => !platformsMayBeText || !(tail?.list || allHeads.some(({ time }) => time)),
      )
  const heads = headsBefore(longestTail)
  const [head] = heads
  const tails = head?.list
    ? possibleTails.filter(({ platformsMayBeText }) => !platformsMayBeText)
    : possibleTails
  const [tail] = tails
  // "On Facebook: We are closed on Thursday, open again on Friday at 9am."
  const isInSentence = head?.list && head.isSeparated && !tail?.list && !tail?.isSeparated && /\.$/.test(text)
  if (!head?.time && tail?.time && isInSentence)
    return combineFields(head, { ...tail, time: { ...tail.time, isCertain: false } })
  if (!head || !tail || !hasTime(head) || !hasTime(tail)) return combineFields(head, tail)
  const withoutTime = (edges: EdgeFields[]) => edges.find((edge) => !edge.time)
  const isSameTime = head.time.words.toLowerCase() === tail.time.words.toLowerCase()
  // In "Post now on X: we close at 15:00 today", the post goes out now.
  const isNow = head.time.isNow && head.isSeparated
  if (isSameTime || isNow) return combineFields(head, withoutTime(tails))
  if (isDayAndTime(text, head, tail)) return joinDayAndTime(head, tail)
  const [rankAtStart, rankAtEnd] = [rankOf(head.time), rankOf(tail.time)]
  // "LinkedIn friday 9am: Join us on monday at 10", "Friday 9am: Five cookies you can bake in 20 minutes"
  const isInText =
    rankAtStart === rankAtEnd &&
    head.isSeparated &&
    !tail.isSeparated &&
    ((head.list && !tail.list) || tail.time.isFromNow)
  // "28 November 8pm, concert in the hall. fb thursday 18:00"
  const beginsSentence =
    !head.list && /,\s*$/.test(text.slice(0, head.end)) && /^\p{Ll}/u.test(text.slice(head.end))
  if (rankAtStart === rankAtEnd && beginsSentence && tail.list && tail.isSeparated && !tail.beginsWithTime)
    return combineFields(withoutTime(heads), tail)
  // In "Tomorrow at 9am we open! Post today at 6pm on Facebook", the time after "Post" is meant.
  if (rankAtEnd >= rankAtStart && tail.hasRequest && !head.isSeparated)
    return combineFields(withoutTime(heads), tail)
  if (rankAtStart === rankAtEnd && tail.time.strength === 'whole' && !isInText)
    return keepBothTimes(head, tail)
  // In "Friday 8pm we go live! ig 4pm", either time may be meant.
  const hasPlatformsOnlyAtEnd =
    tail.list && !head.list && tail.time.strength === 'clock' && !tail.time.problem
  if (hasPlatformsOnlyAtEnd && isWholeTime(head.time)) return keepBothTimes(head, tail)
  // Of two days, the one at the end is meant if it is set apart. In "tomorrow fb: see you at 8pm", the time at the end belongs
  // to the text.
  const hasPlatformsOnlyAtStart = head.isSeparated && head.list && !tail.list
  const isAtStart =
    hasPlatformsOnlyAtStart &&
    (tail.time.strength === 'clock' ||
      !tail.isSeparated ||
      // "fb, ig next week: Workshop, 6 December", but not "Next week on LinkedIn: our talk, 6 December"
      (head.time.strength === 'vague' && !head.beginsWithTime && !tail.hasRequest))
  const isAtEnd =
    !isAtStart && !isInText && (rankAtStart === rankAtEnd ? tail.time.isCertain : rankAtEnd > rankAtStart)
  // "Friday on X: brunch is back, tomorrow 9am" could mean either.
  if (hasPlatformsOnlyAtStart && isAtEnd && head.time.strength !== 'vague' && !tail.hasRequest)
    return keepBothTimes(head, tail)
  // "friday 9am on X 10am" has no text.
  if (!isAtEnd && !text.slice(head.end, tail.start).trim()) return keepBothTimes(head, tail)
  if (!isAtEnd) {
    const other = withoutTime(tails)
    return combineFields(headsBefore(other)[0], other)
  }
  // In "9am: yoga, tomorrow 8am", either time may be meant.
  const isCertain = tail.time.isCertain && !(head.isSeparated && head.time.strength === 'clock')
  return combineFields(withoutTime(heads), { ...tail, time: { ...tail.time, isCertain } })
}

/** A quotation at the end belongs to the text: 'Big day 10am LinkedIn, "until Friday!"' */
const endsInQuotation = (text: string, start: number): boolean =>
  /["“”„«»]/.test(text.slice(start)) && !/^\s*["“„«]/.test(text)

const combineFields = (head: EdgeFields | undefined, tail: EdgeFields | undefined): Fields => ({
  head,
  tail,
  time: head?.time ?? tail?.time,
  list: head?.list && tail?.list ? joinLists(head.list, tail.list) : (head?.list ?? tail?.list),
})

/** Either of the two times may be meant. The one that is set apart is more likely. */
const keepBothTimes = (head: EdgeFields, tail: EdgeFields): Fields => ({
  ...combineFields(head, tail),
  time: tail.isSeparated ? tail.time : head.time,
  otherTime: tail.isSeparated ? head.time : tail.time,
})

type TimedEdge = EdgeFields & { time: FoundTime }
const hasTime = (edge: EdgeFields): edge is TimedEdge => edge.time !== undefined

/** "Tuesday - New whitepaper - linkedin - 9am", but not "Tomorrow: the launch. x 5pm" and "Nov 30 - we speak. x 9am" */
const isDayAndTime = (text: string, head: TimedEdge, tail: TimedEdge): boolean =>
  head.time.strength === 'day' &&
  tail.time.strength === 'clock' &&
  !head.time.problem &&
  !tail.time.problem &&
  head.isSeparated &&
  !/:\s*$/.test(text.slice(0, head.end)) &&
  tail.list !== undefined &&
  /^\s*[-–—|•·,/]/.test(text.slice(tail.start))

function joinDayAndTime(head: TimedEdge, tail: TimedEdge): Fields {
  const certain = <Edge extends TimedEdge>(edge: Edge): Edge => {
    return { ...edge, time: { ...edge.time, isCertain: true } }
  }
  const words = `${head.time.words} ${tail.time.words}`
  return { ...combineFields(certain(head), certain(tail)), time: { ...tail.time, words, strength: 'whole' } }
}

const rankOf = ({ strength, problem }: FoundTime): number =>
  STRENGTHS.indexOf(strength) - (problem && problem !== 'weekday-mismatch' ? 0.5 : 0)
