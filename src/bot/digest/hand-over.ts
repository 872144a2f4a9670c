import { setTimeout as sleep } from 'node:timers/promises'
import {
  ErrorCode,
  type WebAPIPlatformError,
  type WebAPIRateLimitedError,
  type WebClient,
} from '@slack/web-api'
import { keepContent } from '../../store/digest-contents.ts'
import {
  type DigestRun,
  endRun,
  findRun,
  intendRun,
  lastToldUntil,
  leaseRun,
  postponeRun,
} from '../../store/digest-runs.ts'
import { type Digest, findDigest, stopDigest } from '../../store/digests.ts'
import type { Rhythm } from '../../time/rhythm.ts'
import type { Bot } from '../bot.ts'
import { context, escaped, type Reply, section } from '../reply.ts'
import { explain, type Failure } from '../trouble.ts'
import { type Content, type Gathered, gatherDigest } from './gather.ts'
import { deleteHeld, findHeld, markOf } from './held.ts'
import { isFolded, renderDigest } from './render.ts'
import { tellOwner } from './tell-owners.ts'
import { uploadPicture } from './upload-picture.ts'
import { drawWeek } from './week-picture.ts'
import { isGone } from './why-stopped.ts'

/** What is late still comes, and says so; what is later than that is skipped. */
export const LATEST_MS = 3 * 60 * 60_000
const LATE_POST_MS = 2 * 60_000
/** Slack takes nothing for a time that is over when it hears of it. */
const SOONEST_POST_MS = 30_000
const AGAIN_MS = 60_000
const AGAIN_LATE_MS = 5 * 60_000

type Handing = { bot: Bot; client: WebClient }

/** Sees to one run of a digest: once, however often it is begun. */
export async function handOver(handing: Handing, which: { digest_id: string; day: string }): Promise<void> {
  const { bot } = handing
  const { db, log, world } = bot
  const now = world.now()
  const run = await leaseRun(db, which, now)
  const digest = run && (await findDigest(db, which.digest_id))
  if (!run || !digest) return
  const agreed = run.state === 'intended' ? run.post_at : null
  if (agreed && (await isWithSlack(handing, digest, run, agreed))) return
  if (digest.paused_for) return void (await endRun(db, run, { state: 'skipped' }))
  const lateMs = now.getTime() - run.due_at.getTime()
  if (lateMs > LATEST_MS) {
    log.warn({ digest: digest.id, day: run.day, lateMs }, 'a digest was skipped: it is too late for it')
    return void (await endRun(db, run, { state: 'skipped' }))
  }
  const { zone } = digest.rhythm as Rhythm
  const at = run.due_at > now ? run.due_at : now
  const since = await lastToldUntil(db, digest.id)
  const gathered = await gatherDigest(bot, digest, { zone, now, at, since })
  if ('failure' in gathered && lateMs < LATEST_MS - AGAIN_LATE_MS)
    return void (await postponeRun(db, run, {
      state: 'planned',
      again_at: soon(now, lateMs > 0 ? AGAIN_LATE_MS : AGAIN_MS),
    }))
  const posting = { digest, run, agreed, isLate: lateMs > 0 }
  if ('failure' in gathered)
    return post(handing, { ...posting, reply: cannotBeRead(digest, gathered.failure) })
  if (gathered.isEmpty && digest.if_empty === 'skip') {
    log.info({ digest: digest.id, day: run.day }, 'a digest had nothing to say')
    return void (await endRun(db, run, { state: 'skipped' }))
  }
  await postContent(handing, { ...posting, gathered })
}

const soon = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** Somebody began to hand it over for that time, and died or got no answer: it is not sent a second time. */
async function isWithSlack(
  { bot, client }: Handing,
  digest: Digest,
  run: DigestRun,
  agreed: Date,
): Promise<boolean> {
  const { db, log, world } = bot
  try {
    const held = await findHeld(client, digest, run)
    if (held) {
      await settle({ bot, client }, digest, run, held)
      return true
    }
    if (agreed.getTime() > world.now().getTime()) return false
  } catch (error) {
    await notTaken(bot, { digest, run, error, state: 'intended' })
    return true
  }
  try {
    await tellOwner(client, digest, `Whether the one of ${run.day} was posted cannot be seen from here.`)
  } catch (err) {
    log.warn({ err, digest: digest.id, day: run.day }, 'nobody could be told that a digest may be missing')
    const again_at = soon(world.now(), AGAIN_LATE_MS)
    if (again_at.getTime() - agreed.getTime() < LATEST_MS) {
      await postponeRun(db, run, { state: 'intended', again_at })
      return true
    }
  }
  await endRun(db, run, { state: 'unclear' })
  return true
}

/** Slack has it. Whoever has paused, changed or ended the digest meanwhile does not want it any more. */
async function settle({ bot, client }: Handing, digest: Digest, run: DigestRun, message_id: string) {
  const { db } = bot
  if (await endRun(db, run, { state: 'handed over', message_id })) return
  const present = await findRun(db, run)
  // Another instance has taken it up since, and finds it there, or has found it.
  if (present?.state === 'intended' || present?.message_id === message_id) return
  await deleteHeld(client, digest, message_id)
}

/** `agreed` is the time for which Slack may have it already. */
type Posting = { digest: Digest; run: DigestRun; agreed: Date | null; isLate: boolean }

async function postContent(
  { bot, client }: Handing,
  { gathered, ...posting }: Posting & { gathered: Gathered },
): Promise<void> {
  const { digest } = posting
  const { db, world } = bot
  const id = world.newId()
  const picture = digest.includes.includes('picture')
    ? await pictureOf({ bot, client }, digest, gathered)
    : undefined
  const content: Content = { ...gathered.content, isLate: posting.isLate, ...(picture && { picture }) }
  const { picture: _, ...plain } = content
  if (isFolded(content)) await keepContent(db, { id, content, kept_at: world.now() })
  const folding = { id, open: [] }
  const reply = renderDigest(content, folding)
  const withoutPicture = renderDigest(plain, folding)
  if (picture) await sleep(UPLOAD_MS)
  await post(
    { bot, client },
    {
      ...posting,
      reply,
      otherwise: [...(picture ? [reply, withoutPicture] : []), withoutImages(withoutPicture)],
    },
  )
}

/** Slack takes no message with a picture that it cannot fetch, and the media of a post may be anywhere. */
const withoutImages = ({ text, blocks = [] }: Reply): Reply => ({
  text,
  blocks: blocks.map((block) => {
    if (block.type !== 'section' || block.accessory?.type !== 'image') return block
    const { accessory: _, ...rest } = block
    return rest
  }),
})

/** An upload finishes a while after its call; until then Slack takes no message with it. */
const UPLOAD_MS = 2500

/** A digest without its picture is worth more than none. */
async function pictureOf({ bot, client }: Handing, { rhythm }: Digest, { week }: Gathered) {
  if (!week.length) return undefined
  try {
    const { zone } = rhythm as Rhythm
    return await uploadPicture(client, drawWeek(week, { zone, now: bot.world.now() }))
  } catch (err) {
    bot.log.warn({ err }, 'a picture of the week could not be had')
    return undefined
  }
}

async function post(
  { bot, client }: Handing,
  { digest, run, agreed, reply, isLate, otherwise = [] }: Posting & { reply: Reply; otherwise?: Reply[] },
): Promise<void> {
  const { db, world } = bot
  const now = world.now()
  const planned = isLate
    ? soon(now, LATE_POST_MS)
    : new Date(Math.max(run.due_at.getTime(), now.getTime() + SOONEST_POST_MS))
  const post_at = agreed ?? planned
  const intended = await intendRun(db, run, { post_at, now })
  if (!intended) return
  const send = async ({ text, blocks = [] }: Reply, [other, ...others]: Reply[]): Promise<string> => {
    try {
      const { scheduled_message_id } = await client.chat.scheduleMessage({
        channel: digest.channel_id,
        post_at: Math.floor(post_at.getTime() / 1000),
        text: `${text} ${markOf(run)}`,
        blocks,
      })
      return scheduled_message_id ?? ''
    } catch (error) {
      if (!other || codeOf(error) !== 'invalid_blocks') throw error
      if (other === reply) await sleep(UPLOAD_MS)
      return send(other, others)
    }
  }
  try {
    const message_id = await send(reply, otherwise)
    await settle({ bot, client }, digest, intended, message_id)
  } catch (error) {
    await notTaken(bot, { digest, run: intended, error, state: 'planned' })
  }
}

const codeOf = (error: unknown) => (error as Partial<WebAPIPlatformError>).data?.error

/** `state` is what it is in where Slack clearly said no. */
type NotTaken = { digest: Digest; run: DigestRun; error: unknown; state: 'planned' | 'intended' }

async function notTaken({ db, log, world }: Bot, { digest, run, error, state }: NotTaken): Promise<void> {
  const now = world.now()
  const { code: kind, retryAfter } = error as { code?: string } & Partial<WebAPIRateLimitedError>
  if (kind === ErrorCode.RateLimitedError) {
    log.warn({ digest: digest.id, retryAfter }, 'Slack takes no more messages for now')
    const again_at = soon(now, (retryAfter ?? 60) * 1000)
    return void (await postponeRun(db, run, { state, again_at, isLimited: true }))
  }
  const code = codeOf(error)
  // Slack did not say no: it may have it. Looked for when the lease is over.
  if (!code || UNSURE.includes(code))
    return void log.warn({ err: error, digest: digest.id }, 'Slack did not answer')
  if (!isGone(code)) {
    log.warn({ err: error, digest: digest.id }, 'Slack did not take a digest')
    return void (await postponeRun(db, run, { state, again_at: soon(now, AGAIN_MS) }))
  }
  await endRun(db, run, { state: 'skipped' })
  await stopDigest(db, digest.id, { paused_for: code, now })
}

/** Slack's own troubles: it may have taken the message all the same. */
const UNSURE = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']

function cannotBeRead({ project_name }: Digest, failure: Failure): Reply {
  const { happened } = explain(failure, { zone: 'UTC', hasOwnZone: false, locale: undefined, role: 'member' })
  const say = `The digest of ${escaped(project_name)} could not be read.`
  return { text: say, blocks: [section(say), context(happened)] }
}
