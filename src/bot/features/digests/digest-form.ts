import { searchZones } from '../../../time/read-zones.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { recurrenceToWords } from '../../../time/recurrence.ts'
import { optional } from '../../forms/field.ts'
import { channelField, checkboxesField, searchSelectField, selectField } from '../../forms/fields.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { refuseField } from '../../forms/outcome.ts'
import { describeWithNextRuns, parseRecurrence, recurrenceField } from '../../forms/recurrence-field.ts'
import { isChannelId } from '../../slack/actor.ts'
import type { Request } from '../../slack/feature.ts'
import { textReply } from '../../slack/message-blocks.ts'
import { loadProfile } from '../../slack/profile.ts'
import { resolveDigest, type SavedDigest, saveDigest, TOO_LATE_MESSAGE } from './change-digests.ts'
import { describeDigest } from './digest-list.ts'
import { digestVersion } from './digest-version.ts'
import { ALL_SECTIONS, SECTION_LABELS } from './gather-content.ts'
import type { Digest } from './tables.ts'

type DigestInput = Pick<Digest, 'channel_id' | 'sections'> & {
  recurrence: string
  zone: string
  when_empty: string
}

export const DEFAULT_SETTINGS = { sections: ALL_SECTIONS, when_empty: 'post' as const }

export const digestForm = defineForm<DigestInput, SavedDigest>({
  verb: 'digest',
  usage: '[weekdays at 9am, now, list, pause, resume, delete]',
  help: 'Post a regular summary in a channel. Show it now, pause it or delete it.',
  title: 'Channel digest',
  submitLabel: 'Save',
  permission: 'write',
  changesNoProject: true,
  fields: {
    channel_id: channelField('Channel'),
    recurrence: recurrenceField(
      'When',
      'In your own words: "weekdays at 9am", "every other monday 8:30 Berlin time", "daily at 9 and 17:00".',
    ),
    zone: optional(
      searchSelectField(
        'Time zone',
        async ({ query }) =>
          searchZones(query).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
        { updatesForm: true },
      ),
    ),
    sections: checkboxesField('Include', SECTION_LABELS),
    when_empty: selectField("When there's nothing to report", {
      post: 'Post a short note',
      skip: 'Post nothing',
    }),
  },
  prefill: (_text, { channel }) => ({
    values: {
      channel_id: isChannelId(channel) ? channel : undefined,
      recurrence: 'weekdays at 9am',
      ...DEFAULT_SETTINGS,
    },
  }),
  fieldNotes: (input, context) => {
    const { recurrence, conflict } = readInput(input, context)
    return recurrence ? { recurrence: conflict ?? describeWithNextRuns(recurrence, context) } : {}
  },
  validate: (input, context) => {
    const { conflict } = readInput(input, context)
    return conflict ? { zone: conflict } : {}
  },
  send: async (input, context) => {
    const { bot, actor } = context
    const profile = await loadProfile(bot, actor)
    const { recurrence, error = '' } = readInput(input, { ...profile, now: bot.runtime.now() })
    if (!recurrence) return refuseField('recurrence', error)
    const { channel_id, sections } = input
    const when_empty = input.when_empty === 'skip' ? 'skip' : 'post'
    const result = await saveDigest(context, { channel_id, recurrence, sections, when_empty })
    if (result.kind === 'saved') return { kind: 'done', result }
    if (result.kind === 'refused') return refuseField('channel_id', result.message)
    return refuseField('recurrence', SAVE_ERRORS[result.kind])
  },
  successReply: ({ digests, isTooLate }, viewer) => {
    const lines = digests.map((digest) => `• ${describeDigest(digest, viewer)}`)
    const title = `*Digests in <#${digests[0]?.channel_id}>*`
    return textReply([title, ...lines, ...(isTooLate ? [TOO_LATE_MESSAGE] : [])].join('\n'))
  },
  nextActions: () => [{ action_id: 'digest:open', label: 'Set up another' }],
})

/** Returns a `conflict` for the user if the words name a different time zone from the picked one. */
function readInput({ recurrence: words = '', zone }: Partial<DigestInput>, context: ReadingContext) {
  const reading = parseRecurrence(words, { ...context, zone: zone || context.zone })
  if ('error' in reading) return { error: reading.error }
  const { recurrence } = reading
  if (!zone || recurrence.zone === zone) return { recurrence }
  const conflict = `"When" names the time zone ${recurrence.zone}. Remove it there, or clear "Time zone".`
  return { recurrence, conflict }
}

const SAVE_ERRORS = {
  duplicate: 'This digest already exists. See "/upnext digest list" in the channel.',
  changed: 'This digest has changed since you opened it. Open it again with "/upnext digest list".',
  gone: 'This digest no longer exists. Set up a new one with "/upnext digest".',
}

export async function editDigest(request: Request): Promise<void> {
  const digest = await resolveDigest(request)
  if (!digest) return
  const { channel_id, project_id, sections, when_empty, recurrence } = digest
  const { zone } = recurrence
  const words = recurrenceToWords(recurrence)
  const values = { channel_id, recurrence: words, zone: { value: zone, label: zone }, sections, when_empty }
  const draft = { values, errors: {}, messages: [], replaces: digestVersion(digest) }
  return openForm(digestForm, request, { project_id, draft })
}
