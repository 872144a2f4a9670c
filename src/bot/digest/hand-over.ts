import { ErrorCode, type WebAPIPlatformError, type WebClient } from '@slack/web-api'
import {
  type Digest,
  type DigestRun,
  endRun,
  findDigest,
  intendRun,
  lastPostedAt,
  leaseRun,
  pauseDigest,
  postponeRun,
} from '../../store/digests.ts'
import type { Rhythm } from '../../time/rhythm.ts'
import type { Bot } from '../bot.ts'
import { context, escaped, type Reply, section } from '../reply.ts'
import { explain, type Failure } from '../trouble.ts'
import { renderDigest } from './render.ts'

/** Slack holds a message for later, so that it comes on the minute whatever becomes of us. */
export const LEAD_MS = 15 * 60_000

/** What is late still comes, and says so; what is later than that is skipped. */
const LATEST_MS = 3 * 60 * 60_000
const LATE_POST_MS = 2 * 60_000
const AGAIN_MS = 60_000

type Handing = { bot: Bot; client: WebClient }

/** Sees to one run of a digest: once, however often it is begun. */
export async function handOver(
  { bot, client }: Handing,
  which: { digest_id: string; day: string },
): Promise<void> {
  const { db, log, world } = bot
  const now = world.now()
  const run = await leaseRun(db, which, now)
  const digest = run && (await findDigest(db, which.digest_id))
  if (!run || !digest) return
  if (digest.paused_for) return void (await endRun(db, run, { state: 'skipped' }))
  if (run.state === 'intended') {
    const held = await findHeld(client, digest, run)
    if (held) return void (await endRun(db, run, { state: 'handed over', message_id: held }))
    if ((run.post_at?.getTime() ?? 0) <= now.getTime()) {
      // It may have been posted: it is not sent a second time.
      await endRun(db, run, { state: 'unclear' })
      return tellOwner(
        client,
        digest,
        `Whether the digest of ${run.day} was posted cannot be seen from here.`,
      )
    }
  }
  const lateMs = now.getTime() - run.due_at.getTime()
  if (lateMs > LATEST_MS) {
    log.warn({ digest: digest.id, day: run.day, lateMs }, 'a digest was skipped: it is too late for it')
    return void (await endRun(db, run, { state: 'skipped' }))
  }
  const rendered = await render(bot, digest, now)
  if ('failure' in rendered && lateMs < LATEST_MS - LATE_POST_MS - AGAIN_MS)
    return void (await postponeRun(db, run, { state: 'planned', until: new Date(now.getTime() + AGAIN_MS) }))
  const reply = 'failure' in rendered ? cannotBeRead(digest, rendered.failure) : rendered.reply
  await post({ bot, client }, { digest, run, reply, isLate: lateMs > 0 })
}

const render = async (bot: Bot, digest: Digest, now: Date) =>
  renderDigest(bot, digest, {
    zone: (digest.rhythm as Rhythm).zone,
    now,
    since: await lastPostedAt(bot.db, digest.id),
  })

type Posting = { digest: Digest; run: DigestRun; reply: Reply; isLate: boolean }

async function post({ bot, client }: Handing, { digest, run, reply, isLate }: Posting): Promise<void> {
  const { db, world } = bot
  const now = world.now()
  const soonest = now.getTime() + LATE_POST_MS
  const planned = new Date(isLate ? soonest : Math.max(run.due_at.getTime(), now.getTime() + 30_000))
  // Where Slack may have it already, it has it for that very time.
  const post_at = (run.state === 'intended' && run.post_at) || planned
  if (!(await intendRun(db, run, { post_at, now }))) return
  const late = isLate ? [context('This comes late: the bot or the scheduling service was away.')] : []
  try {
    const { scheduled_message_id: message_id = '' } = await client.chat.scheduleMessage({
      channel: digest.channel_id,
      post_at: Math.floor(post_at.getTime() / 1000),
      text: `${reply.text} ${markOf(run)}`,
      blocks: [...late, ...(reply.blocks ?? [])],
    })
    await endRun(db, run, { state: 'handed over', message_id })
  } catch (error) {
    await notTaken({ bot, client }, { digest, run, error })
  }
}

type NotTaken = { digest: Digest; run: DigestRun; error: unknown }

async function notTaken({ bot, client }: Handing, { digest, run, error }: NotTaken): Promise<void> {
  const { db, log, world } = bot
  const { code: kind, data } = error as { code?: string } & Partial<Pick<WebAPIPlatformError, 'data'>>
  const code = kind === ErrorCode.RateLimitedError ? 'ratelimited' : data?.error
  // Slack did not say no: it may have it. Looked for when the lease is over.
  if (!code || UNSURE.includes(code))
    return void log.warn({ err: error, digest: digest.id }, 'Slack did not answer')
  if (!GONE.includes(code)) {
    log.warn({ err: error, digest: digest.id }, 'Slack did not take a digest')
    const until = new Date(world.now().getTime() + AGAIN_MS)
    return void (await postponeRun(db, run, { state: 'planned', until }))
  }
  await endRun(db, run, { state: 'skipped' })
  await pauseDigest(db, digest.id, code)
  await tellOwner(
    client,
    digest,
    `It is paused: ${WHY[code] ?? code}. \`/upnext digest resume\` there starts it again.`,
  )
}

/** Slack's own troubles: it may have taken the message all the same. */
const UNSURE = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']

const WHY: Record<string, string> = {
  channel_not_found: 'the channel is gone, or this app is not in it any more',
  not_in_channel: 'this app is not in the channel any more',
  is_archived: 'the channel is archived',
  restricted_action: 'this app may not post there',
}
const GONE = Object.keys(WHY)

/** The list of what Slack holds shows text, and so the text has a mark. */
const markOf = ({ digest_id, day }: DigestRun) => `[${digest_id.slice(0, 8)} ${day}]`

async function findHeld(client: WebClient, digest: Digest, run: DigestRun): Promise<string | undefined> {
  const { scheduled_messages: held = [] } = await client.chat.scheduledMessages.list({
    channel: digest.channel_id,
    limit: 100,
  })
  return held.find(({ text }) => text?.includes(markOf(run)))?.id
}

function cannotBeRead({ project_name }: Digest, failure: Failure): Reply {
  const { happened } = explain(failure, { zone: 'UTC', hasOwnZone: false, locale: undefined, role: 'member' })
  const say = `The digest of ${escaped(project_name)} could not be read.`
  return { text: say, blocks: [section(say), context(happened)] }
}

/** The person who set it up, and nobody else. */
const tellOwner = async (client: WebClient, { set_by, channel_id, project_name }: Digest, text: string) =>
  void (await client.chat.postMessage({
    channel: set_by,
    text: `About the digest of ${escaped(project_name)} in <#${channel_id}>: ${text}`,
  }))
