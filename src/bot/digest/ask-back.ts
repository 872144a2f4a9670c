import type { WebClient } from '@slack/web-api'
import { forgetUnwanted, giveUpUnwanted, takeUnwanted, type Unwanted } from '../../store/digest-unwanted.ts'
import type { Bot } from '../bot.ts'
import { deleteHeld, findHeld } from './held.ts'
import { tellOwner } from './tell-owners.ts'

const AGAIN_MS = 30_000

/** A call that was under way, and the list that lags behind, are over by then. */
const SETTLED_MS = 120_000

/** Within its last minute Slack keeps a message. */
const KEEPS_MS = 60_000

/** Has Slack give back what was paused, changed or ended after it was handed over. */
export async function askBack({ db, log, world }: Bot, client: WebClient): Promise<void> {
  const now = world.now()
  for (const unwanted of await takeUnwanted(db, { now, again_at: new Date(now.getTime() + AGAIN_MS) })) {
    const { digest_id, day, post_at } = unwanted
    try {
      if (await isGone(client, unwanted, now)) await forgetUnwanted(db, unwanted)
    } catch (err) {
      log.warn({ err, digest: digest_id, day }, 'Slack did not give a digest back')
    }
    if (world.now() <= post_at) continue
    const isOurs = await giveUpUnwanted(db, unwanted)
    if (!isOurs) continue
    log.warn({ digest: digest_id, day }, 'a digest was not given back in time')
    await tellOwner(
      client,
      unwanted,
      `The one of ${day} was to be taken back, and may have come all the same: Slack did not answer in time.`,
    ).catch((err) => log.warn({ err, digest: digest_id, day }, 'nobody could be told of that'))
  }
}

/** Whether it is certain that Slack holds it no more. */
async function isGone(client: WebClient, unwanted: Unwanted, now: Date): Promise<boolean> {
  const { channel_id, run_id, intended_at, post_at } = unwanted
  const message_id = unwanted.message_id ?? (await findHeld(client, channel_id, run_id))
  if (!message_id) return now.getTime() - intended_at.getTime() > SETTLED_MS && now < post_at
  return (await deleteHeld(client, channel_id, message_id)) || post_at.getTime() - now.getTime() > KEEPS_MS
}
