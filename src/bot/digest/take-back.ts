import type { WebClient } from '@slack/web-api'
import { forgetRun, listComing } from '../../store/digest-runs.ts'
import type { Digest } from '../../store/digests.ts'
import type { Bot } from '../bot.ts'
import { deleteHeld, listHeld, markOf } from './held.ts'

/** What is on its way of a digest is not to come any more. False where it is too late for that. */
export async function takeBack({ db, world }: Bot, client: WebClient, digest: Digest): Promise<boolean> {
  const coming = await listComing(db, digest.id, world.now())
  // What nobody has begun with needs nothing of Slack.
  const isBegun = coming.some(({ state }) => state !== 'planned')
  const held = isBegun ? await listHeld(client, digest).catch(() => []) : []
  let isInTime = true
  for (const run of coming) {
    const message_id = run.message_id || held.find(({ text }) => text.includes(markOf(run)))?.id
    const isBack = message_id ? await deleteHeld(client, digest, message_id) : run.state !== 'handed over'
    if (isBack) await forgetRun(db, run)
    else isInTime = false
  }
  return isInTime
}
