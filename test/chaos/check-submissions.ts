import type { OutboxItem } from '../../src/bot/outbox/tables.ts'

/** What a user submitted in one or more forms, until one of them was accepted. */
export type Submission = {
  content: string
  /** All forms that were submitted. More than one may have arrived. */
  view_ids: string[]
  /** The form that Slack closed, or that said that it was saved. */
  acceptedView?: string
}

type Item = Pick<OutboxItem, 'id' | 'view_id' | 'state' | 'needs_answer'>

export type Ending = {
  submissions: Submission[]
  items: Item[]
  /** How many posts with each content the service has. */
  postCounts: Map<string, number>
  /** How the service answered the requests of an item. */
  creations: Map<string, Set<'created' | 'refused' | 'unclear'>>
  /** Whether a lookup can't say whether a post with this content is on the service. */
  isUndecidable: (content: string) => boolean
  /** Items whose answer arrived, but may have been lost with the instance or its connection. */
  maxLostAnswers: number
  wasNotified: (content: string) => boolean
}

type Fate = 'sent' | 'refused' | 'asked' | 'given up' | 'waiting' | 'lost'

/** What became of what was submitted, and what the faults don't explain. `isSettled`: no item has anything to wait for. */
export function checkSubmissions(ending: Ending) {
  const { submissions, items, postCounts, creations, isUndecidable, maxLostAnswers, wasNotified } = ending
  const mismatches: string[] = []
  let isSettled = true
  const itemsByView = new Map(items.map((item) => [item.view_id, item]))
  const accepted = submissions.filter(({ acceptedView }) => acceptedView)
  const fates = accepted.map(({ acceptedView = '' }) => fateOf(itemsByView.get(acceptedView)))
  for (const [index, fate] of fates.entries())
    if (fate === 'lost')
      mismatches.push(`${accepted[index]?.content} was accepted, but isn't stored anywhere`)

  let [lost, doubled, mayAsk, asked] = [fates.filter((fate) => fate === 'lost').length, 0, 0, 0]
  for (const content of new Set(submissions.map((submission) => submission.content))) {
    const same = submissions.filter((submission) => submission.content === content)
    const sent = same.flatMap(({ view_ids }) => view_ids.flatMap((id) => itemsByView.get(id) ?? []))
    const count = (fate: Fate) => sent.filter((item) => fateOf(item) === fate).length
    for (const item of sent) {
      const answers = creations.get(item.id)
      const fate = fateOf(item)
      const describe = (problem: string) => mismatches.push(`${content}, item ${item.id}: ${problem}`)
      if (fate === 'given up') describe(`given up (${item.state}), although it could be sent in time`)
      const isTold = ['sent', 'waiting'].includes(fate) || wasNotified(content)
      if (fate === 'waiting' || !isTold) isSettled = false
      if (fate === 'waiting') describe(`still ${item.state}`)
      if (fate === 'refused' && !answers?.has('refused')) describe('refused, but not by the service')
      if (fate === 'asked' && !isUndecidable(content))
        describe('its author was asked, although a lookup shows it')
      if (!isTold) describe(`${fate}, but its author wasn't told`)
      if (isUndecidable(content) && answers?.has('unclear')) mayAsk += 1
    }
    asked += count('asked')
    const actual = postCounts.get(content) ?? 0
    // What was refused isn't there. Of the rest, only a lookup knows.
    const [min, max] = [count('sent'), sent.length - count('refused')]
    lost += Math.max(0, min - actual)
    doubled += Math.max(0, actual - max)
    if (actual < min || actual > max)
      mismatches.push(
        `${content} is there ${actual} times, expected ${min === max ? min : `${min} to ${max}`}`,
      )
  }
  const maxAsked = mayAsk && mayAsk + maxLostAnswers
  if (asked > maxAsked) mismatches.push(`${asked} authors were asked, at most ${maxAsked} expected`)

  const total = (fate: Fate) => fates.filter((other) => other === fate).length
  const summary = [
    `${submissions.length} submissions: ${accepted.length} accepted`,
    `${total('sent')} sent`,
    `${total('refused')} refused`,
    `${total('asked')} asked (at most ${maxAsked})`,
    `${total('given up')} given up`,
    `${total('waiting')} waiting`,
    `${lost} lost`,
    `${doubled} doubled`,
  ].join(', ')
  return { isSettled, mismatches, summary }
}

function fateOf(item: Item | undefined): Fate {
  if (!item) return 'lost'
  if (item.needs_answer) return 'asked'
  switch (item.state) {
    case 'sent':
    case 'refused':
      return item.state
    case 'expired':
    case 'missed':
      return 'given up'
    default:
      return 'waiting'
  }
}
