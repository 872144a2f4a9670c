import type { Outcome } from '../../api/outcome.ts'
import { type Digest, findDigest } from '../../store/digests.ts'
import { type Recurrence, recurrenceToWords } from '../../time/recurrence.ts'
import { searchZones } from '../../time/zones.ts'
import { findPerson, isChannel } from '../asker.ts'
import type { Request } from '../feature.ts'
import type { Initial, Scene } from '../form/field.ts'
import { channel, choice, choices, lookup } from '../form/fields.ts'
import { form } from '../form/form.ts'
import { openForm } from '../form/open-form.ts'
import { readWords, rhythm, saying } from '../form/rhythm-field.ts'
import { said } from '../reply.ts'
import { describeDigest } from './describe-digest.ts'
import { ALL_PARTS, PARTS } from './gather.ts'
import { type SetUp, setUpDigest } from './set-up.ts'
import { tellOther } from './tell-owners.ts'

type Body = {
  channel_id: string
  words: string
  zone: string
  includes: string[]
  if_empty: string
}

/** The form behind `/upnext digest`, for a new one and for one that is there. */
export const setUp = form<Body>({
  verb: 'digest',
  usage: '[weekdays at 9am, now, list, pause, resume, off]',
  help: 'Tells a channel regularly what goes out next; shows it now, pauses it, or ends it.',
  title: 'Digest of a channel',
  submit: 'Save',
  right: 'write',
  fields: {
    channel_id: channel('Channel', 'This app must be in it: "/invite @Upnext" there lets it in.'),
    words: rhythm('When'),
    zone: lookup(
      'Time zone',
      async ({ typed }) =>
        searchZones(typed).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
      { dispatches: true },
    ).optional(),
    includes: choices('What it tells of', PARTS),
    if_empty: choice('When there is nothing to tell', {
      say: 'Say that there is nothing',
      skip: 'Say nothing that day',
    }),
  },
  initial: (_words, { channel }) => ({
    channel_id: isChannel(channel) ? channel : undefined,
    words: 'weekdays at 9am',
    includes: ALL_PARTS,
    if_empty: 'say',
  }),
  notes: ({ words, zone }, scene) => {
    const read = words && zone ? readWords(words, inZone(scene, zone)) : undefined
    if (!zone || !read || 'fault' in read) return {}
    return { words: contradicts(read.rhythm, zone) ?? saying(read.rhythm, scene) }
  },
  faults: ({ words, zone }, scene) => {
    const read = words && zone ? readWords(words, inZone(scene, zone)) : undefined
    const fault = zone && read && 'rhythm' in read ? contradicts(read.rhythm, zone) : undefined
    return fault ? { zone: fault } : {}
  },
  send: async (body, { bot, asker, project, deadlineMs, replaces }) => {
    const { channel_id, words, zone, includes, if_empty } = body
    const scene = { person: await findPerson(bot, asker), now: bot.runtime.now() }
    const read = readWords(words, inZone(scene, zone))
    if ('fault' in read) return invalid('words', read.fault)
    const wanted = {
      project,
      channel_id,
      rhythm: read.rhythm,
      includes,
      if_empty: if_empty === 'skip' ? ('skip' as const) : ('say' as const),
      replaces,
    }
    const before = replaces ? await findDigest(bot.db, replaces) : undefined
    const came = await setUpDigest(bot, asker, wanted, deadlineMs)
    if (came.kind === 'set up' && before) await tellOther(bot, asker, before, 'changed')
    return outcomeOf(came)
  },
  done: (data, reader) => {
    const { digests, coming, isTooLate } = data as Done
    const lines = digests.map((digest) => `• ${describeDigest(digest, coming, reader)}`)
    const late = isTooLate ? `\n${TOO_LATE}` : ''
    return said(`<#${digests[0]?.channel_id}> gets:\n${lines.join('\n')}${late}`)
  },
  next: () => [{ action_id: 'digest:open', label: 'Set up another' }],
})

type Done = Extract<SetUp, { kind: 'set up' }>

export const TOO_LATE = 'The next one comes all the same: Slack gives nothing back in its last minute.'

const contradicts = (rhythm: Recurrence, zone: string): string | undefined =>
  rhythm.zone === zone
    ? undefined
    : `The words say ${rhythm.zone}. Take the zone out of them, or choose none here.`

const inZone = (scene: Scene, zone: string | undefined): Scene => ({
  ...scene,
  person: { ...scene.person, zone: zone || scene.person.zone },
})

const invalid = (field: keyof Body, msg: string): Outcome => ({
  kind: 'invalid',
  details: [{ loc: ['body', field], msg, type: 'digest' }],
  said: undefined,
})

/** What became of it, as the form takes it: what is wrong stands under the field that it concerns. */
function outcomeOf(came: SetUp): Outcome {
  if (came.kind === 'set up') return { kind: 'ok', status: 200, data: came }
  if (came.kind === 'refused') return invalid('channel_id', came.say)
  return invalid(
    'words',
    came.kind === 'twice'
      ? 'That channel has this digest already, at that time. "/upnext digest list" there shows it.'
      : 'That digest was ended meanwhile. `/upnext digest` sets up a new one.',
  )
}

export function openToChange(request: Request, digest: Digest): Promise<void> {
  const { channel_id, project_id, includes, if_empty, id } = digest
  const { zone, ...days } = digest.rhythm as Recurrence
  const entries: Record<string, Initial> = {
    channel_id,
    words: recurrenceToWords(days),
    zone: { value: zone, label: zone },
    includes,
    if_empty,
  }
  return openForm(setUp, request, {
    project_id,
    again: { entries, faults: {}, top: [], replaces: id },
  })
}
