import type { WebClient } from '@slack/web-api'
import { SETTLED_MS } from '../../store/digest-runs.ts'
import { forgetUnwanted, giveUpUnwanted, takeUnwanted, type Unwanted } from '../../store/digest-unwanted.ts'
import type { Bot } from '../bot.ts'
import { deleteHeld, findHeld } from './held.ts'

const AGAIN_MS = 30_000

/** Within its last minute Slack keeps a message. */
const KEEPS_MS = 60_000

/** Has Slack give back what was paused, changed or ended after it was handed over. */
export async function askBack(bot: Bot, client: WebClient): Promise<void> {
  const now = bot.runtime.now()
  const unwanted = await takeUnwanted(bot.db, { now, again_at: new Date(now.getTime() + AGAIN_MS) })
  // Side by side: the last of them is not to come to its last minute meanwhile.
  await Promise.all(unwanted.map((one) => askBackOne(bot, client, one)))
}

async function askBackOne({ db, log, runtime }: Bot, client: WebClient, unwanted: Unwanted): Promise<void> {
  const { digest_id, day, post_at } = unwanted
  try {
    if (await isGivenBack(runtime, client, unwanted)) return void (await forgetUnwanted(db, unwanted))
  } catch (err) {
    log.warn({ err, digest: digest_id, day }, 'Slack did not give a digest back')
  }
  const now = runtime.now()
  if (now <= post_at) return
  log.warn({ digest: digest_id, day }, 'a digest was not given back in time')
  const say = `The one of ${day} was to be taken back, and may have come all the same: Slack did not answer in time.`
  await giveUpUnwanted(db, unwanted, { say, now })
}

/** Whether it is certain that Slack holds it no more. */
async function isGivenBack(runtime: Bot['runtime'], client: WebClient, unwanted: Unwanted): Promise<boolean> {
  const { channel_id, run_id, intended_at, post_at } = unwanted
  const leftMs = () => post_at.getTime() - runtime.now().getTime()
  const message_id = unwanted.message_id ?? (await findHeld(client, channel_id, run_id))
  if (!message_id) return runtime.now().getTime() - intended_at.getTime() > SETTLED_MS && leftMs() > 0
  // What Slack does not know any more was not posted either, as long as its time has not come near.
  return (await deleteHeld(client, channel_id, message_id)) || leftMs() > KEEPS_MS
}
