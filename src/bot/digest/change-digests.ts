import type { Withdrawn } from '../../store/digest-unwanted.ts'
import { type Digest, pauseDigest, removeDigest, resumeDigest } from '../../store/digests.ts'
import type { Recurrence } from '../../time/recurrence.ts'
import { findPerson, refusalFor } from '../asker.ts'
import type { Request } from '../feature.ts'
import { buttons, said, section } from '../reply.ts'
import { TOO_LATE } from './digest-form.ts'
import { EXAMPLE, listAll, listHere } from './list-digests.ts'
import { ANNOUNCE_MS, announce, nextRun } from './set-up.ts'
import { tellOther } from './tell-owners.ts'

type Verb = 'pause' | 'resume' | 'off'

/** What came of it, in words where that is not all that was wanted. */
type Changed = { isDone: boolean; say?: string | undefined }

type Change = {
  done: 'paused' | 'resumed' | 'ended'
  change: (request: Request, digest: Digest) => Promise<Changed>
}

const CHANGES: Record<Verb, Change> = {
  pause: {
    done: 'paused',
    change: async ({ bot }, one) =>
      one.paused_for ? NOT_DONE : lateWords(await pauseDigest(bot.db, one, bot.runtime.now())),
  },
  resume: { done: 'resumed', change: resume },
  off: {
    done: 'ended',
    change: async ({ bot }, one) => lateWords(await removeDigest(bot.db, one, bot.runtime.now())),
  },
}

export const isVerb = (word: string): word is Verb => Object.hasOwn(CHANGES, word)

const NOT_DONE: Changed = { isDone: false }

const lateWords = (changed: Withdrawn | 'gone'): Changed =>
  changed === 'gone' ? NOT_DONE : { isDone: true, ...(changed.isTooLate && { say: TOO_LATE }) }

/** One that had to stop goes on where it can: the channel is told, which shows whether it can be. */
async function resume({ bot, asker }: Request, one: Digest): Promise<Changed> {
  const { id, paused_for, channel_id, project_name } = one
  if (!paused_for) return NOT_DONE
  const rhythm = one.rhythm as Recurrence
  if (paused_for !== 'asked') {
    const again = { channel_id, project: { Name: project_name }, rhythm, isAgain: true }
    const refusal = await announce(asker, again, ANNOUNCE_MS)
    if (refusal) return { isDone: false, say: refusal }
  }
  await resumeDigest(bot.db, id, await nextRun(bot, one))
  return { isDone: true }
}

export async function changeAll(request: Request, verb: Verb, { isSure = false } = {}): Promise<void> {
  const { bot, asker, reply } = request
  const refusal = refusalFor(bot, await findPerson(bot, asker, { isAfresh: true }), 'write')
  if (refusal) return reply(said(refusal))
  const digests = await listHere(request)
  if (!digests.length) return reply(said(`There is no digest here. ${EXAMPLE} sets one up.`))
  if (verb === 'off' && digests.length > 1 && !isSure) return askWhich(request, digests.length)
  const says: string[] = []
  for (const one of digests) {
    const { say } = await change(request, one, verb)
    if (say && !says.includes(say)) says.push(say)
  }
  await reply(await listAll(request, { ended: verb === 'off' ? digests : [], says }))
}

/** To end several at once is nothing to be done by a word. */
async function askWhich(request: Request, count: number): Promise<void> {
  const listed = await listAll(request)
  const text = `There are ${count} digests here. Which of them is to end?`
  const all = {
    action_id: 'digest:off-all',
    label: `End all ${count}`,
    ask: 'They cannot be brought back. Pausing them can be undone.',
  }
  await request.reply({ text, blocks: [section(text), ...(listed.blocks ?? []), ...buttons(all)] })
}

async function change(request: Request, one: Digest, verb: Verb): Promise<Changed> {
  const { change, done } = CHANGES[verb]
  const changed = await change(request, one)
  if (changed.isDone) await tellOther(request.bot, request.asker, one, done)
  return changed
}

export async function changeOne(request: Request, one: Digest, verb: Verb): Promise<void> {
  const { say } = await change(request, one, verb)
  const ended = verb === 'off' ? [one] : []
  await request.replace(await listAll(request, { ended, says: say ? [say] : [] }))
}
