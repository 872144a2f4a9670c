import { DateTime } from 'luxon'
import type { Digest } from '../../store/digests.ts'
import { describeMoment } from '../../time/describe.ts'
import { describeRecurrence, nextOccurrence, type Recurrence } from '../../time/recurrence.ts'
import type { Reader } from '../posts.ts'
import { escaped } from '../reply.ts'
import type { PARTS } from './gather.ts'
import type { Standing } from './set-up.ts'
import { whyStopped } from './why-stopped.ts'

/** How it stands: what, when, and when next. */
export function describeDigest(digest: Digest, coming: Standing['coming'], { zone, now }: Reader): string {
  const { id, project_name, rhythm: held, paused_for, set_by, next_at, includes, if_empty } = digest
  const rhythm = held as Recurrence
  const first = coming.get(id) ?? next_at
  const then = first < next_at ? next_at : nextOccurrence(rhythm, next_at).toJSDate()
  const [one, other] = [first, then].map((at) =>
    describeMoment({ at: inZone(at, rhythm), zone: rhythm.zone, viewerZone: zone, now }),
  )
  const why = paused_for && paused_for !== 'asked' ? ` (${whyStopped(paused_for)})` : ''
  const when = paused_for
    ? `paused${why}; \`/upnext digest resume\` starts it again`
    : `next ${one}, then ${other}`
  const left = Object.entries(BRIEFLY).flatMap(([name, words]) => (includes.includes(name) ? [] : [words]))
  const without = left.length ? `, without ${left.join(', ')}` : ''
  const silent = if_empty === 'skip' ? ', silent when there is nothing' : ''
  return `*${escaped(project_name)}*: ${describeRecurrence(rhythm)}${without}${silent}, ${when} (set by <@${set_by}>)`
}

const inZone = (at: Date, { zone }: Recurrence) => DateTime.fromJSDate(at, { zone })

const BRIEFLY: Record<keyof typeof PARTS, string> = {
  coming: 'what is coming',
  published: 'what went out',
  drafts: 'drafts',
  wrong: 'what went wrong',
  picture: 'a picture',
}
