import { setTimeout as sleep } from 'node:timers/promises'
import { DateTime } from 'luxon'
import { lastDue, listComing } from '../../store/digest-runs.ts'
import { addDigest, changeDigest, type Digest, findDigest, listDigests } from '../../store/digests.ts'
import { describeRecurrence, nextOccurrence, type Recurrence } from '../../time/recurrence.ts'
import type { Asker, Bot } from '../bot.ts'
import type { KnownProject } from '../projects.ts'
import { escaped, said } from '../reply.ts'
import { codeOf } from './held.ts'
import { isGone } from './why-stopped.ts'

export type Wanted = Pick<Digest, 'channel_id' | 'includes' | 'if_empty'> & {
  rhythm: Recurrence
  project: KnownProject
  /** The digest that becomes this one. */
  replaces?: string | undefined
}

/** The channel's digests, and when those come that are planned already. */
export type Standing = { digests: Digest[]; coming: Map<string, Date> }

export type SetUp =
  | ({ kind: 'set up'; isTooLate: boolean } & Standing)
  /** There is that very digest already. */
  | { kind: 'twice' }
  | { kind: 'gone' }
  /** The app may not speak there. */
  | { kind: 'refused'; say: string }

/** Sets a digest up, or changes it; a channel that gets a new one is told so, which also shows whether it can be told. */
export async function setUpDigest(
  bot: Bot,
  asker: Asker,
  { project, rhythm, replaces, ...wanted }: Wanted,
  deadlineMs: number,
): Promise<SetUp> {
  const { db, runtime } = bot
  const { team_id, user_id } = asker
  const { channel_id } = wanted
  const here = await listDigests(db, { team_id, channel_id })
  const before = replaces ? await findDigest(db, replaces) : undefined
  if (replaces && before?.team_id !== team_id) return { kind: 'gone' }
  if (here.some((one) => one.id !== replaces && isThat(one, project, rhythm))) return { kind: 'twice' }
  if (before?.channel_id !== channel_id) {
    const refusal = await announce(asker, { channel_id, project, rhythm }, deadlineMs)
    if (refusal) return { kind: 'refused', say: refusal }
  }
  const now = runtime.now()
  const digest = {
    ...wanted,
    id: before?.id ?? runtime.newId(),
    team_id,
    project_id: project.Id,
    project_name: project.Name,
    rhythm,
    set_by: user_id,
    set_at: before?.set_at ?? now,
  }
  const nextAt = (last: Date | undefined) => firstAfter(rhythm, { last, now })
  const kept = before
    ? await changeDigest(db, { digest, now, nextAt })
    : (await addDigest(db, { ...digest, next_at: nextAt(undefined) }))
      ? { isTooLate: false }
      : 'twice'
  if (typeof kept === 'string') return { kind: kept }
  return { kind: 'set up', ...kept, ...(await standingIn(bot, { team_id, channel_id })) }
}

export async function standingIn(
  { db, runtime }: Bot,
  channel: { team_id: string; channel_id: string },
): Promise<Standing> {
  const digests = await listDigests(db, channel)
  return { digests, coming: await comingOf({ db, runtime }, digests) }
}

export const comingOf = ({ db, runtime }: Pick<Bot, 'db' | 'runtime'>, digests: Digest[]) =>
  listComing(
    db,
    digests.map(({ id }) => id),
    runtime.now(),
  )

const isThat = (one: Digest, project: KnownProject, rhythm: Recurrence) =>
  one.project_id === project.Id && describeRecurrence(one.rhythm as Recurrence) === describeRecurrence(rhythm)

/** When a digest comes next that was paused. */
export async function nextRun({ db, runtime }: Bot, { id, rhythm }: Digest): Promise<Date> {
  return firstAfter(rhythm as Recurrence, { last: await lastDue(db, id), now: runtime.now() })
}

/** A day that had its digest gets no second one, whatever time, or zone, it is set to now. */
function firstAfter(rhythm: Recurrence, { last, now }: { last: Date | undefined; now: Date }): Date {
  const over = last ? DateTime.fromJSDate(last, { zone: rhythm.zone }).endOf('day').toJSDate() : now
  return nextOccurrence(rhythm, over > now ? over : now).toJSDate()
}

/** For Slack's answer to what is typed; nobody waits three seconds with a form open. */
export const ANNOUNCE_MS = 8000

type Announced = {
  channel_id: string
  project: Pick<KnownProject, 'Name'>
  rhythm: Recurrence
  isAgain?: boolean
}

/** Says why not, where the channel cannot be told. Where Slack takes long, it is seen when the first digest comes. */
export async function announce(
  { client, user_id }: Asker,
  { channel_id: channel, project, rhythm, isAgain = false }: Announced,
  deadlineMs: number,
): Promise<string | undefined> {
  const what = `${escaped(project.Name)}: ${describeRecurrence(rhythm)}`
  const done = isAgain ? 'has started the digest here again' : 'has set up a digest here'
  const telling = client.chat.postMessage({ channel, ...said(`<@${user_id}> ${done}, of ${what}.`) }).then(
    () => undefined,
    (error) => refusalFor(codeOf(error) ?? ''),
  )
  return Promise.race([telling, sleep(deadlineMs, undefined, { ref: false })])
}

function refusalFor(code: string): string | undefined {
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'This app is not in that channel. Write "/invite @Upnext" there, and send this off again.'
  if (code === 'is_archived') return 'That channel is archived. Choose another.'
  return isGone(code) ? 'This app may not post in that channel. Choose another.' : undefined
}
