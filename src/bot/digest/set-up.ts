import { setTimeout as sleep } from 'node:timers/promises'
import type { WebAPIPlatformError } from '@slack/web-api'
import { DateTime } from 'luxon'
import { lastDay } from '../../store/digest-runs.ts'
import { addDigest, changeDigest, type Digest, findDigest, listDigests } from '../../store/digests.ts'
import { describeRhythm, next, type Rhythm } from '../../time/rhythm.ts'
import type { Asker, Bot } from '../bot.ts'
import type { KnownProject } from '../projects.ts'
import { escaped, said } from '../reply.ts'
import { takeBack } from './take-back.ts'
import { isGone } from './why-stopped.ts'

export type Wanted = Pick<Digest, 'channel_id' | 'includes' | 'if_empty'> & {
  rhythm: Rhythm
  project: KnownProject
  /** The digest that becomes this one. */
  replaces?: string | undefined
}

export type SetUp =
  | { kind: 'set up'; digests: Digest[]; isTooLate: boolean }
  /** There is that very digest already. */
  | { kind: 'twice'; digests: Digest[] }
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
  const { db, world } = bot
  const { team_id, user_id } = asker
  const { channel_id } = wanted
  const here = await listDigests(db, { team_id, channel_id })
  const before = replaces ? await findDigest(db, replaces) : undefined
  if (replaces && before?.team_id !== team_id) return { kind: 'gone' }
  if (here.some((one) => one.id !== replaces && isThat(one, project, rhythm)))
    return { kind: 'twice', digests: here }
  if (before?.channel_id !== channel_id) {
    const refusal = await announce(asker, { channel_id, project, rhythm }, deadlineMs)
    if (refusal) return { kind: 'refused', say: refusal }
  }
  const isTooLate = before ? !(await takeBack(bot, asker.client, before)) : false
  const digest = {
    ...wanted,
    id: before?.id ?? world.newId(),
    team_id,
    project_id: project.Id,
    project_name: project.Name,
    rhythm,
    set_by: user_id,
    set_at: before?.set_at ?? world.now(),
    next_at: await nextRun(bot, { id: before?.id, rhythm }),
  }
  const kept = before ? await changeDigest(db, digest) : (await addDigest(db, digest)) ? 'added' : 'twice'
  if (kept === 'gone') return { kind: 'gone' }
  const digests = await listDigests(db, { team_id, channel_id })
  return kept === 'twice' ? { kind: 'twice', digests } : { kind: 'set up', digests, isTooLate }
}

const isThat = (one: Digest, project: KnownProject, rhythm: Rhythm) =>
  one.project_id === project.Id && describeRhythm(one.rhythm as Rhythm) === describeRhythm(rhythm)

/** A day that had its digest gets no second one, whatever time it is set to now. */
export async function nextRun(
  { db, world }: Bot,
  { id, rhythm }: { id: string | undefined; rhythm: Rhythm },
): Promise<Date> {
  const now = world.now()
  const day = id && (await lastDay(db, id))
  const over = day ? DateTime.fromISO(day, { zone: rhythm.zone }).endOf('day').toJSDate() : now
  return next(rhythm, over > now ? over : now).toJSDate()
}

type Announced = { channel_id: string; project: KnownProject; rhythm: Rhythm }

/** Says why not, where the channel cannot be told. Where Slack takes long, it is seen when the first digest comes. */
async function announce(
  { client, user_id }: Asker,
  { channel_id: channel, project, rhythm }: Announced,
  deadlineMs: number,
): Promise<string | undefined> {
  const what = `${escaped(project.Name)}: ${describeRhythm(rhythm)}`
  const telling = client.chat
    .postMessage({ channel, ...said(`<@${user_id}> has set up a digest here, of ${what}.`) })
    .then(
      () => undefined,
      (error) => refusalFor((error as Partial<WebAPIPlatformError>).data?.error ?? ''),
    )
  return Promise.race([telling, sleep(deadlineMs, undefined, { ref: false })])
}

function refusalFor(code: string): string | undefined {
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'This app is not in that channel. Write "/invite @Upnext" there, and send this off again.'
  if (code === 'is_archived') return 'That channel is archived. Choose another.'
  return isGone(code) ? 'This app may not post in that channel. Choose another.' : undefined
}
