import { type Digest, listDigests, listDigestsOf } from '../../store/digests.ts'
import { describeRecurrence, type Recurrence } from '../../time/recurrence.ts'
import { findPerson, isChannel, refusalFor } from '../asker.ts'
import type { Request } from '../feature.ts'
import { buttons, escaped, type Reply, said, section } from '../reply.ts'
import { describeDigest } from './describe-digest.ts'
import { comingOf } from './set-up.ts'

export const EXAMPLE = '`/upnext digest weekdays at 9am`'

/** The channel's, or elsewhere those of whoever asks. */
export const listHere = ({ bot, asker: { team_id, user_id, channel_id } }: Request): Promise<Digest[]> =>
  isChannel(channel_id)
    ? listDigests(bot.db, { team_id, channel_id })
    : listDigestsOf(bot.db, { team_id, user_id })

type Meanwhile = { ended?: Digest[]; says?: string[] }

/** How all of them here stand, with what was done to them. */
export async function listAll(request: Request, { ended = [], says = [] }: Meanwhile = {}): Promise<Reply> {
  const { bot, asker } = request
  const digests = await listHere(request)
  const isHere = isChannel(asker.channel_id)
  const before = [
    ...ended.map(
      ({ project_name, rhythm }) =>
        `Ended: *${escaped(project_name)}*, ${describeRecurrence(rhythm as Recurrence)}.`,
    ),
    ...says,
  ]
  if (!digests.length) {
    const none = isHere ? `<#${asker.channel_id}> has no digest.` : 'No channel has a digest of yours.'
    return said([...before, `${none} ${EXAMPLE} sets one up.`].join('\n'))
  }
  const person = await findPerson(bot, asker)
  const reader = { zone: person.zone, now: bot.runtime.now() }
  const coming = await comingOf(bot, digests)
  const lines = digests.map((one) => {
    const where = isHere ? '' : `<#${one.channel_id}> `
    return { one, line: `• ${where}${describeDigest(one, coming, reader)}` }
  })
  const title = isHere ? `<#${asker.channel_id}> gets:` : 'Your digests:'
  const mayChange = !refusalFor(bot, person, 'write')
  const left = lines.length - MOST_LISTED
  return {
    text: [...before, title, ...lines.map(({ line }) => line)].join('\n'),
    blocks: [
      ...before.map(section),
      section(title),
      ...lines
        .slice(0, MOST_LISTED)
        .flatMap(({ one, line }) => [section(line), ...(mayChange ? buttonsFor(one) : [])]),
      ...(left > 0 ? [section(`and ${left} more: end or change some of these to see them.`)] : []),
    ],
  }
}

const MOST_LISTED = 20

const buttonsFor = ({ id, paused_for }: Digest) =>
  buttons(
    { action_id: 'digest:edit', label: 'Edit', value: id },
    paused_for
      ? { action_id: 'digest:resume', label: 'Resume', value: id }
      : { action_id: 'digest:pause', label: 'Pause', value: id },
    {
      action_id: 'digest:off',
      label: 'End',
      value: id,
      ask: 'It cannot be brought back. Pausing it can be undone.',
    },
  )
