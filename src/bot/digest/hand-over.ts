import {
  type DigestRun,
  endRun,
  endRunWithNote,
  lastToldUntil,
  leaseRun,
  postponeRun,
} from '../../store/digest-runs.ts'
import { isAwaited, TOO_LATE_MS } from '../../store/digest-unwanted.ts'
import { type Digest, findDigest } from '../../store/digests.ts'
import type { Recurrence } from '../../time/recurrence.ts'
import { gatherDigest } from './gather.ts'
import { findHeld } from './held.ts'
import { type Handing, notTaken, type Posting, postContent, postUnread, settle, soon } from './post-run.ts'

/** What is late still comes, and says so; what is later than that is skipped. */
export const LATEST_MS = 3 * 60 * 60_000

const AGAIN_MS = 60_000
const AGAIN_LATE_MS = 5 * 60_000

/** What cannot be read is said to be so before it is too late for that, too. */
const UNREAD_AFTER_MS = LATEST_MS - 3 * AGAIN_LATE_MS

/** One that Slack may have is not sent again so near to its time: nobody could take it back any more, or look for it. */
const TOO_NEAR_MS = TOO_LATE_MS + 45_000

/** Sees to one run of a digest: once, however often it is begun. */
export async function handOver(handing: Handing, which: { digest_id: string; day: string }): Promise<void> {
  const { bot } = handing
  const { db, log, runtime } = bot
  const now = runtime.now()
  const run = await leaseRun(db, which, now)
  const digest = run && (await findDigest(db, which.digest_id))
  if (!run || !digest) return
  const agreed = run.state === 'intended' ? run.post_at : null
  if (agreed && (await isSeenTo(handing, digest, run, agreed))) return
  const state = agreed ? 'intended' : 'planned'
  // One that was given to Slack, and is not wanted any more, may still come.
  if (await isAwaited(db, digest.id))
    return void (await postponeRun(db, run, { state, again_at: soon(now, 10_000) }))
  const lateMs = now.getTime() - run.due_at.getTime()
  if (digest.paused_for || lateMs > LATEST_MS) return skip(handing, digest, run)
  const { zone } = digest.rhythm as Recurrence
  const at = run.due_at > now ? run.due_at : now
  const since = await lastToldUntil(db, digest.id)
  const gathered = await gatherDigest(bot, digest, { zone, now, at, since }).catch((err) => {
    log.error({ err, digest: digest.id }, 'what a digest is to say could not be gathered')
  })
  const problem = 'it could not be read'
  const again_at = soon(now, lateMs > 0 ? AGAIN_LATE_MS : AGAIN_MS)
  if (!gathered) return void (await postponeRun(db, run, { state, again_at, problem }))
  const posting: Posting = { digest, run, agreed, isLate: lateMs > 0 }
  if ('failure' in gathered) {
    if (lateMs >= UNREAD_AFTER_MS) return postUnread(handing, posting, gathered.failure)
    return void (await postponeRun(db, run, { state, again_at, problem }))
  }
  if (gathered.isEmpty && digest.if_empty === 'skip') {
    log.info({ digest: digest.id, day: run.day }, 'a digest had nothing to say')
    return void (await endRun(db, run, { state: 'skipped' }))
  }
  await postContent(handing, posting, gathered)
}

/** It is too late for it; where something stood in its way all the time, whoever set it up is told. */
async function skip({ bot }: Handing, digest: Digest, run: DigestRun): Promise<void> {
  const { db, log, runtime } = bot
  const { problem, day, due_at } = run
  log.warn({ digest: digest.id, day, due_at, problem, paused_for: digest.paused_for }, 'a digest was skipped')
  // Where Slack may have taken it, it may have come.
  const state = run.state === 'intended' ? 'unclear' : 'skipped'
  if (!problem || digest.paused_for) return void (await endRun(db, run, { state }))
  const note = { ...digest, say: `The one of ${day} was left out: ${problem}.` }
  await endRunWithNote(db, run, { state, note, now: runtime.now() })
}

/** Somebody began to hand it over for that time, and died or got no answer: it is not sent a second time. */
async function isSeenTo(handing: Handing, digest: Digest, run: DigestRun, agreed: Date): Promise<boolean> {
  const { bot, client } = handing
  const { db, runtime } = bot
  const leftMs = agreed.getTime() - runtime.now().getTime()
  try {
    const held = await findHeld(client, run.channel_id ?? digest.channel_id, run.id)
    if (held) {
      await settle(handing, digest, run, held)
      return true
    }
    if (leftMs > TOO_NEAR_MS) return false
    if (leftMs > 0) {
      await postponeRun(db, run, { state: 'intended', again_at: soon(agreed, 1000) })
      return true
    }
  } catch (error) {
    if (leftMs > -LATEST_MS) {
      await notTaken(bot, { digest, run, error, state: 'intended' })
      return true
    }
  }
  const note = { ...digest, say: `Whether the one of ${run.day} was posted cannot be seen from here.` }
  await endRunWithNote(db, run, { state: 'unclear', note, now: runtime.now() })
  return true
}
