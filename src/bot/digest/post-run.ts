import { setTimeout as sleep } from 'node:timers/promises'
import { ErrorCode, type WebAPIRateLimitedError, type WebClient } from '@slack/web-api'
import { keepContent } from '../../store/digest-contents.ts'
import { type DigestRun, endRun, findRun, intendRun, postponeRun } from '../../store/digest-runs.ts'
import { type Digest, stopDigest } from '../../store/digests.ts'
import type { Recurrence } from '../../time/recurrence.ts'
import type { Bot } from '../bot.ts'
import { context, escaped, type Reply, section } from '../reply.ts'
import { explain, type Failure } from '../trouble.ts'
import type { Content, Gathered } from './gather.ts'
import { codeOf, deleteHeld, markOf } from './held.ts'
import { isFolded, renderDigest, withoutImages } from './render.ts'
import { uploadPicture } from './upload-picture.ts'
import { drawWeek } from './week-picture.ts'
import { isGone } from './why-stopped.ts'

export type Handing = { bot: Bot; client: WebClient }

/** `agreed` is the time for which Slack may have it already. */
export type Posting = { digest: Digest; run: DigestRun; agreed: Date | null; isLate: boolean }

const LATE_POST_MS = 2 * 60_000
/** Slack takes nothing for a time that is over when it hears of it. */
const SOONEST_POST_MS = 30_000
const AGAIN_MS = 60_000
/** An upload finishes a while after its call; until then Slack takes no message with it. */
const UPLOAD_MS = 2500

export const soon = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** Hands over what there is to say; where Slack takes no picture, without. */
export async function postContent(handing: Handing, posting: Posting, gathered: Gathered): Promise<void> {
  const { bot } = handing
  const { db, runtime } = bot
  const picture = await pictureOf(handing, posting.digest, gathered)
  if (picture) await sleep(UPLOAD_MS)
  const plain: Content = { ...gathered.content, isLate: posting.isLate }
  const full: Content = { ...plain, ...(picture && { picture }) }
  const folding = { id: runtime.newId(), open: [] }
  const write = (content: Content) => async (): Promise<Reply> => {
    // What is unfolded later is what Slack took.
    if (isFolded(content)) await keepContent(db, { id: folding.id, content, kept_at: runtime.now() })
    return renderDigest(content, folding)
  }
  const patient = async () => {
    await sleep(UPLOAD_MS)
    return write(full)()
  }
  await post(handing, posting, {
    tries: [write(full), ...(picture ? [patient, write(plain)] : []), write(withoutImages(plain))],
    told_until: gathered.told_until,
  })
}

export function postUnread(handing: Handing, posting: Posting, failure: Failure): Promise<void> {
  const { happened } = explain(failure, { zone: 'UTC', hasOwnZone: false, locale: undefined, role: 'member' })
  const text = `The digest of ${escaped(posting.digest.project_name)} could not be read.`
  const reply = async () => ({ text, blocks: [section(text), context(happened)] })
  return post(handing, posting, { tries: [reply], told_until: undefined })
}

/** A digest without its picture is worth more than none. */
async function pictureOf({ bot, client }: Handing, { includes, rhythm }: Digest, { week }: Gathered) {
  if (!includes.includes('picture') || !week.posts.length) return undefined
  try {
    return await uploadPicture(
      client,
      drawWeek(week.posts, { zone: (rhythm as Recurrence).zone, at: week.at }),
    )
  } catch (err) {
    bot.log.warn({ err }, 'a picture of the week could not be had')
    return undefined
  }
}

type Write = () => Promise<Reply>

type Said = {
  /** One after the other, where Slack does not take the blocks of the one before. */
  tries: Write[]
  told_until: Date | undefined
}

async function post({ bot, client }: Handing, posting: Posting, { tries, told_until }: Said): Promise<void> {
  const { digest, run, agreed, isLate } = posting
  const { db, log, runtime } = bot
  const now = runtime.now()
  const planned = isLate
    ? soon(now, LATE_POST_MS)
    : new Date(Math.max(run.due_at.getTime(), now.getTime() + SOONEST_POST_MS))
  const post_at = agreed ?? planned
  const { channel_id } = digest
  const intended = await intendRun(db, run, { channel_id, post_at, now, told_until })
  if (!intended) return
  // A no to this call says nothing of one before it whose answer was lost.
  const state = agreed ? 'intended' : 'planned'
  for (const [index, write] of tries.entries()) {
    const reply = await write().catch(async (err) => {
      log.error({ err, digest: digest.id }, 'a digest could not be written')
      await postponeRun(db, intended, {
        state,
        again_at: soon(now, AGAIN_MS),
        problem: 'it could not be written',
      })
    })
    if (!reply) return
    const { text, blocks = [] } = reply
    const given = await client.chat
      .scheduleMessage({
        channel: channel_id,
        post_at: Math.floor(post_at.getTime() / 1000),
        text: `${text} ${markOf(run.id)}`,
        blocks,
      })
      .catch((error: unknown) => ({ error }))
    if ('scheduled_message_id' in given)
      return settle({ bot, client }, digest, intended, given.scheduled_message_id ?? '')
    const isForAnother = codeOf(given.error) === 'invalid_blocks' && index < tries.length - 1
    if (!isForAnother) return notTaken(bot, { digest, run: intended, error: given.error, state })
  }
}

/** Slack has it. Whoever has paused, changed or ended the digest meanwhile does not want it any more. */
export async function settle(
  { bot, client }: Handing,
  digest: Digest,
  run: DigestRun,
  message_id: string,
): Promise<void> {
  const { db, log } = bot
  if (await endRun(db, run, { state: 'handed over', message_id })) return
  const present = await findRun(db, run)
  // Another instance has taken it up since: it finds this one there, or has found it.
  if (present && (present.state === 'intended' || present.message_id === message_id)) return
  // What is not given back at once is asked for again.
  await deleteHeld(client, run.channel_id ?? digest.channel_id, message_id).catch((err) =>
    log.warn({ err, digest: digest.id }, 'Slack did not give a digest back'),
  )
}

type NotTaken = {
  digest: Digest
  run: DigestRun
  error: unknown
  /** What it is in where Slack clearly said no. */
  state: 'planned' | 'intended'
}

/** Slack did not take it, or did not answer. */
export async function notTaken(
  { db, log, runtime }: Bot,
  { digest, run, error, state }: NotTaken,
): Promise<void> {
  const now = runtime.now()
  const { code: kind, retryAfter } = error as { code?: string } & Partial<WebAPIRateLimitedError>
  if (kind === ErrorCode.RateLimitedError) {
    log.warn({ digest: digest.id, retryAfter }, 'Slack takes no more messages for now')
    const again_at = soon(now, (retryAfter ?? 60) * 1000)
    const problem = 'Slack took no more messages'
    return void (await postponeRun(db, run, { state, again_at, problem, isLimited: true }))
  }
  const code = codeOf(error)
  // Slack did not say no: it may have it. Looked for when the lease is over.
  if (!code || UNSURE.includes(code))
    return void log.warn({ err: error, digest: digest.id }, 'Slack did not answer')
  if (!isGone(code)) {
    log.warn({ err: error, digest: digest.id }, 'Slack did not take a digest')
    const problem = `Slack did not take it (${code})`
    return void (await postponeRun(db, run, { state, again_at: soon(now, AGAIN_MS), problem }))
  }
  await stopDigest(db, digest.id, { paused_for: code, now })
  // Where Slack may have taken it, it may come.
  await endRun(db, run, { state: state === 'intended' ? 'unclear' : 'skipped' })
}

/** Slack's own troubles: it may have taken the message all the same. */
const UNSURE = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']
