import type { Digest } from '../../store/digests.ts'
import { describe } from '../../time/describe.ts'
import { describeRhythm, next, type Rhythm } from '../../time/rhythm.ts'
import type { Reader } from '../posts.ts'
import { escaped } from '../reply.ts'
import { PARTS } from './gather.ts'
import { whyStopped } from './why-stopped.ts'

/** How it stands: what, when, and when next. */
export function describeDigest(digest: Digest, { zone, now }: Reader): string {
  const { project_name, rhythm: held, paused_for, set_by, next_at, includes, if_empty } = digest
  const rhythm = held as Rhythm
  const runs = [next_at, next(rhythm, next_at).toJSDate()].map((at) =>
    describe(next(rhythm, new Date(at.getTime() - 1)), rhythm.zone, zone, now),
  )
  const why = paused_for && paused_for !== 'asked' ? ` (${whyStopped(paused_for)})` : ''
  const when = paused_for
    ? `paused${why}; \`/upnext digest resume\` starts it again`
    : `next ${runs.join(', then ')}`
  const left = Object.keys(PARTS).filter((name) => !includes.includes(name))
  const without = left.length
    ? `, without ${left.map((name) => SHORT[name as keyof typeof PARTS]).join(', ')}`
    : ''
  const silent = if_empty === 'skip' ? ', silent when there is nothing' : ''
  return `*${escaped(project_name)}*: ${describeRhythm(rhythm)}${without}${silent}, ${when} (set by <@${set_by}>)`
}

const SHORT: Record<keyof typeof PARTS, string> = {
  coming: 'what is coming',
  published: 'what went out',
  drafts: 'drafts',
  wrong: 'what went wrong',
  picture: 'a picture',
}
