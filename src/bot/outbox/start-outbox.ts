import type { WebClient } from '@slack/web-api'
import { type Jobs, OUTBOX } from '../../store/jobs.ts'
import { forgetWhatWasTyped, listPeopleDue } from '../../store/outbox.ts'
import { forgetEmails } from '../../store/records-seen.ts'
import type { Bot } from '../bot.ts'
import { forms } from '../features/index.ts'
import { repeat } from '../repeat.ts'
import { sideBySide } from '../side-by-side.ts'
import { workFor } from './work.ts'

type Options = { bot: Bot; client: WebClient; jobs: Jobs }

const PLAN_EVERY_MS = 1000
const FORGET_EVERY_MS = 60 * 60_000
const KEPT_MS = 30 * 24 * 60 * 60_000

/** People whose items are in hand at once: those who are slow are not to hold up the others. */
const MOST_AT_ONCE = 50

/** Sees to it that what is in the outbox goes on: on this instance, or on whichever comes first. */
export async function startOutbox({ bot, client, jobs }: Options): Promise<{ stop: () => Promise<void> }> {
  const { db, log, runtime } = bot
  const inHand = sideBySide({ most: MOST_AT_ONCE, onError: (err) => log.error({ err }, 'the outbox') })
  let forgotAt = 0

  await jobs.work<{ team_id: string; user_id: string }>(
    OUTBOX,
    { batchSize: 10, pollingIntervalSeconds: 1 },
    async (called) => {
      // The job is but a call: what is to be done stays in the table until it is done.
      for (const { data: person } of called) await inHand.begin(() => workFor({ bot, client, forms }, person))
    },
  )

  const plan = async () => {
    const now = runtime.now()
    for (const { team_id, user_id } of await listPeopleDue(db, now))
      await jobs.send(OUTBOX, { team_id, user_id }, { singletonKey: `${team_id} ${user_id}` })
    if (now.getTime() - forgotAt < FORGET_EVERY_MS) return
    forgotAt = now.getTime()
    await forgetWhatWasTyped(db, new Date(forgotAt - KEPT_MS))
    await forgetEmails(db, new Date(forgotAt - KEPT_MS))
  }
  const planning = repeat(plan, { everyMs: PLAN_EVERY_MS, log, what: 'the outbox cannot be looked through' })

  return {
    async stop() {
      await planning.stop()
      await jobs.offWork(OUTBOX)
      await inHand.finish()
    },
  }
}
