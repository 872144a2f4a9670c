import type { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import { forgetContents } from '../../store/digest-contents.ts'
import { forgetRunsBefore, lastDue, listRunsDue, planRun } from '../../store/digest-runs.ts'
import { type Digest, listDigestsDue, skipTo } from '../../store/digests.ts'
import { DIGEST, type Jobs } from '../../store/jobs.ts'
import { nextOccurrence, type Recurrence } from '../../time/recurrence.ts'
import type { Bot } from '../bot.ts'
import { repeat } from '../repeat.ts'
import { sideBySide } from '../side-by-side.ts'
import { askBack } from './ask-back.ts'
import { handOver, LATEST_MS } from './hand-over.ts'
import { tellOwners } from './tell-owners.ts'

type Options = { bot: Bot; client: WebClient; jobs: Jobs; everyMs?: number | undefined }

const PLAN_EVERY_MS = 5000

/** Slack holds a message for later, so that it comes on the minute whatever becomes of us. */
const LEAD_MS = 15 * 60_000

/** Slack takes about 50 a minute of a workspace; beside that it is asked what it holds. */
const PER_MINUTE = 45
const EACH_MS = 60_000 / 40

/** Those of one workspace that are in hand at once, and those of all. */
const AT_ONCE = 10
const MOST_AT_ONCE = 50
const BATCH = 25

const FORGET_EVERY_MS = 60 * 60_000
const CONTENTS_KEPT_MS = 30 * 24 * 60 * 60_000
/** Longer than from one to the next, for those of once a month. */
const RUNS_KEPT_MS = 90 * 24 * 60 * 60_000

/** Finds what is due, by the clock that is passed in; whichever instance is free hands it over to Slack. */
export async function startDigests(options: Options): Promise<{ stop: () => Promise<void> }> {
  const { bot, client, jobs, everyMs = PLAN_EVERY_MS } = options
  const { db, log, runtime } = bot
  const inHand = sideBySide({ most: MOST_AT_ONCE, onError: (err) => log.error({ err }, 'a digest') })
  let forgotAt = 0

  const worker: string = await jobs.work<{ digest_id: string; day: string }>(
    DIGEST,
    { batchSize: BATCH, pollingIntervalSeconds: 2 },
    async (called) => {
      // The job is but a call: what is to be done stays in the table until it is done.
      for (const { data } of called) await inHand.begin(() => handOver({ bot, client }, data))
      // There are more: nobody is to wait for the next look.
      if (called.length === BATCH) jobs.notifyWorker(worker)
    },
  )

  const planOne = async (digest: Digest, now: Date) => {
    const rhythm = digest.rhythm as Recurrence
    const latest = new Date(now.getTime() - LATEST_MS)
    if (digest.next_at < latest) {
      log.warn({ digest: digest.id, from: digest.next_at }, 'digests were skipped: the bot was away')
      return skipTo(db, digest, nextOccurrence(rhythm, latest).toJSDate())
    }
    const due = DateTime.fromJSDate(digest.next_at, { zone: rhythm.zone })
    const last = await lastDue(db, digest.id)
    if (last && due.hasSame(DateTime.fromJSDate(last, { zone: rhythm.zone }), 'day')) {
      log.warn({ digest: digest.id, last }, 'a digest was skipped: that day had one already')
      return skipTo(db, digest, nextOccurrence(rhythm, due.endOf('day').toJSDate()).toJSDate())
    }
    const day = due.toISODate() ?? ''
    const next_at = nextOccurrence(rhythm, digest.next_at).toJSDate()
    return planRun(db, digest, { id: runtime.newId(), day, next_at })
  }
  const plan = async () => {
    const now = runtime.now()
    // One that cannot be planned is not to stand in the way of all others.
    for (const digest of await listDigestsDue(db, now, { leadMs: LEAD_MS, eachMs: EACH_MS }))
      await planOne(digest, now).catch((err) => log.error({ err, digest: digest.id }, 'a digest'))
    const due = await listRunsDue(db, now, { perMinute: PER_MINUTE, atOnce: AT_ONCE })
    for (const { digest_id, day } of due)
      await jobs.send(DIGEST, { digest_id, day }, { singletonKey: `${digest_id} ${day}` })
    if (due.length) jobs.notifyWorker(worker)
  }
  const tidy = async () => {
    await askBack(bot, client)
    await tellOwners(bot, client)
    const now = runtime.now().getTime()
    if (now - forgotAt < FORGET_EVERY_MS) return
    forgotAt = now
    await forgetContents(db, new Date(now - CONTENTS_KEPT_MS))
    await forgetRunsBefore(db, new Date(now - RUNS_KEPT_MS))
  }
  const planning = repeat(plan, { everyMs, log, what: 'the digests cannot be looked through' })
  const tidying = repeat(tidy, { everyMs, log, what: 'the digests cannot be tidied up after' })

  return {
    async stop() {
      await planning.stop()
      await tidying.stop()
      await jobs.offWork(DIGEST)
      await inHand.finish()
    },
  }
}
