import type { WebClient } from '@slack/web-api'
import { type DigestNote, forgetNote, keepNote, takeNotes } from '../../store/digest-notes.ts'
import { type Digest, markTold, takeUntold } from '../../store/digests.ts'
import type { Asker, Bot } from '../bot.ts'
import { escaped } from '../reply.ts'
import { codeOf } from './held.ts'
import { whyStopped } from './why-stopped.ts'

const AGAIN_MS = 5 * 60_000

/** Whoever cannot be reached for so long is not there any more. */
const FOR_MS = 3 * 24 * 60 * 60_000

/** Tells those who set digests up what they are to know of them: until it has reached them, and once. */
export async function tellOwners(bot: Bot, client: WebClient): Promise<void> {
  await tellOfStopped(bot, client)
  const { db, runtime } = bot
  const now = runtime.now()
  for (const note of await takeNotes(db, { now, again_at: new Date(now.getTime() + AGAIN_MS) }))
    if (
      (await isTold(bot, client, note, `About your digest of ${nameOf(note)}: ${note.say}`)) ||
      isOld(note, now)
    )
      await forgetNote(db, note)
}

const isOld = ({ noted_at }: DigestNote, now: Date) => now.getTime() - noted_at.getTime() > FOR_MS

/** Each of them once for all of theirs that stopped for that reason. */
async function tellOfStopped(bot: Bot, client: WebClient): Promise<void> {
  const { db, runtime } = bot
  const now = runtime.now()
  const untold = await takeUntold(db, { now, until: new Date(now.getTime() + AGAIN_MS) })
  const groups = new Map<string, [Digest, ...Digest[]]>()
  for (const digest of untold) {
    const key = [digest.team_id, digest.set_by, digest.paused_for].join(' ')
    const group = groups.get(key)
    if (group) group.push(digest)
    else groups.set(key, [digest])
  }
  for (const digests of groups.values()) {
    const [first, ...others] = digests
    const are = others.length ? 'digests are' : 'digest is'
    const theirs = digests.map(nameOf).join(', ')
    const why = whyStopped(first.paused_for ?? '')
    const say = `Your ${are} paused, for ${why}: ${theirs}. \`/upnext digest resume\` there starts what is paused again.`
    if (await isTold(bot, client, first, say))
      await markTold(
        db,
        digests.map(({ id }) => id),
      )
  }
}

type Named = Pick<Digest, 'project_name' | 'channel_id' | 'set_by'>

const nameOf = ({ project_name, channel_id }: Named) => `${escaped(project_name)} in <#${channel_id}>`

/** False where it is to be tried again. */
async function isTold({ log }: Bot, client: WebClient, { set_by }: Named, text: string): Promise<boolean> {
  try {
    await client.chat.postMessage({ channel: set_by, text })
    return true
  } catch (err) {
    log.warn({ err, user: set_by }, 'whoever set a digest up could not be told of it')
    return NOBODY.includes(codeOf(err) ?? '')
  }
}

/** Slack's words for somebody who is not there any more. */
const NOBODY = ['user_not_found', 'user_disabled', 'channel_not_found', 'cannot_dm_bot']

/** Whoever set it up hears of it where somebody else has done something to it. */
export async function tellOther(
  { db, runtime }: Bot,
  { user_id }: Asker,
  digest: Digest,
  done: 'changed' | 'paused' | 'resumed' | 'ended',
): Promise<void> {
  if (user_id !== digest.set_by)
    await keepNote(db, { ...digest, say: `<@${user_id}> has ${done} it.` }, runtime.now())
}
