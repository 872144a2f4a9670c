import type { WebClient } from '@slack/web-api'
import { type Digest, markTold, takeUntold } from '../../store/digests.ts'
import type { Asker, Bot } from '../bot.ts'
import { escaped } from '../reply.ts'
import { whyStopped } from './why-stopped.ts'

const AGAIN_MS = 5 * 60_000

/** Tells those whose digests have stopped, each of them once for all of theirs that stopped for that reason. */
export async function tellOwners({ db, log, world }: Bot, client: WebClient): Promise<void> {
  const now = world.now()
  const untold = await takeUntold(db, { now, until: new Date(now.getTime() + AGAIN_MS) })
  const groups = new Map<string, Digest[]>()
  for (const digest of untold) {
    const key = [digest.team_id, digest.set_by, digest.paused_for].join(' ')
    groups.set(key, [...(groups.get(key) ?? []), digest])
  }
  for (const [first, ...others] of groups.values()) {
    if (!first) continue
    const digests = [first, ...others]
    const theirs = digests.map(nameOf).join(', ')
    const are = others.length ? 'digests are' : 'digest is'
    try {
      await client.chat.postMessage({
        channel: first.set_by,
        text: `Your ${are} paused, for ${whyStopped(first.paused_for ?? '')}: ${theirs}. \`/upnext digest resume\` there starts what is paused again.`,
      })
      await markTold(
        db,
        digests.map(({ id }) => id),
      )
    } catch (err) {
      log.warn({ err, user: first.set_by }, 'nobody could be told that digests are paused')
    }
  }
}

type Named = Pick<Digest, 'project_name' | 'channel_id' | 'set_by'>

const nameOf = ({ project_name, channel_id }: Named) => `${escaped(project_name)} in <#${channel_id}>`

/** The person who set it up, and nobody else. */
export const tellOwner = async (client: WebClient, digest: Named, text: string) =>
  void (await client.chat.postMessage({
    channel: digest.set_by,
    text: `About your digest of ${nameOf(digest)}: ${text}`,
  }))

/** Whoever set it up hears of it where somebody else has done something to it. */
export async function tellOther(
  { log }: Bot,
  { client, user_id }: Asker,
  digest: Digest,
  done: 'changed' | 'paused' | 'resumed' | 'ended',
): Promise<void> {
  if (user_id === digest.set_by) return
  await tellOwner(client, digest, `<@${user_id}> has ${done} it.`).catch((err) =>
    log.warn({ err, user: digest.set_by }, 'nobody could be told what became of their digest'),
  )
}
