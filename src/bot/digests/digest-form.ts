import type { ReadingContext } from '../../time/reading.ts'
import { type Recurrence, recurrenceToWords } from '../../time/recurrence.ts'
import { searchZones } from '../../time/zones.ts'
import { isChannelId } from '../actor.ts'
import type { Digest, DigestSection } from '../database/tables.ts'
import type { Request } from '../feature.ts'
import { optional } from '../form/field.ts'
import { channelField, checkboxesField, searchSelect, selectField } from '../form/fields.ts'
import { defineForm, openForm } from '../form/open-form.ts'
import { type Outcome, refuseField } from '../form/outcome.ts'
import { describeWithNextRuns, parseRecurrence, recurrenceField } from '../form/recurrence-field.ts'
import { textReply } from '../message-blocks.ts'
import { loadProfile } from '../people/profile.ts'
import { notifyOwner, TOO_LATE_MESSAGE } from './change-digests.ts'
import { findDigest } from './digest-store.ts'
import { ALL_SECTIONS, SECTION_LABELS } from './gather-content.ts'
import { describeDigest } from './list-digests.ts'
import { type SaveResult, saveDigest } from './save-digest.ts'

type DigestInput = {
  channel_id: string
  recurrence: string
  zone: string
  sections: string[]
  when_empty: string
}

type SavedDigests = Extract<SaveResult, { kind: 'saved' }>

/** Sets up a digest, or changes one. */
export const digestForm = defineForm<DigestInput, SavedDigests>({
  verb: 'digest',
  usage: '[weekdays at 9am, now, list, pause, resume, delete]',
  help: 'Post a regular summary in a channel. Show it now, pause it or delete it.',
  title: 'Channel digest',
  submitLabel: 'Save',
  permission: 'write',
  fields: {
    channel_id: channelField('Channel', 'Upnext must be a member. Add it with "/invite @Upnext".'),
    recurrence: recurrenceField('When'),
    zone: optional(
      searchSelect(
        'Time zone',
        async ({ query }) =>
          searchZones(query).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
        { updatesForm: true },
      ),
    ),
    sections: checkboxesField('Include', SECTION_LABELS),
    when_empty: selectField("When there's nothing to report", {
      post: 'Post a short note',
      skip: 'Skip that day',
    }),
  },
  prefill: (_text, { channel }) => ({
    channel_id: isChannelId(channel) ? channel : undefined,
    recurrence: 'weekdays at 9am',
    sections: ALL_SECTIONS,
    when_empty: 'post',
  }),
  fieldNotes: ({ recurrence: words, zone }, context) => {
    if (!words || !zone) return {}
    const reading = parseRecurrence(words, inZone(context, zone))
    if ('error' in reading) return {}
    const { recurrence } = reading
    return { recurrence: zoneConflict(recurrence, zone) ?? describeWithNextRuns(recurrence, context) }
  },
  validate: ({ recurrence: words, zone }, context) => {
    if (!words || !zone) return {}
    const reading = parseRecurrence(words, inZone(context, zone))
    const conflict = 'recurrence' in reading ? zoneConflict(reading.recurrence, zone) : undefined
    return conflict ? { zone: conflict } : {}
  },
  send: async (input, { bot, actor, project, deadlineMs, replaces }) => {
    const { channel_id, recurrence: words, zone, sections, when_empty } = input
    const context = { ...(await loadProfile(bot, actor)), now: bot.runtime.now() }
    const reading = parseRecurrence(words, inZone(context, zone))
    if ('error' in reading) return refuseField('recurrence', reading.error)
    const settings = {
      project,
      channel_id,
      recurrence: reading.recurrence,
      sections: sections as DigestSection[],
      when_empty: when_empty === 'skip' ? ('skip' as const) : ('post' as const),
      replaces,
    }
    const replaced = replaces ? await findDigest(bot.db, replaces) : undefined
    const result = await saveDigest(bot, actor, settings, deadlineMs)
    if (result.kind === 'saved' && replaced) await notifyOwner(bot, actor, replaced, 'changed')
    return saveResultToOutcome(result)
  },
  successReply: ({ digests, upcoming, isTooLate }, viewer) => {
    const lines = digests.map((digest) => `• ${describeDigest(digest, upcoming, viewer)}`)
    const title = `*Digests in <#${digests[0]?.channel_id}>*`
    return textReply([title, ...lines, ...(isTooLate ? [TOO_LATE_MESSAGE] : [])].join('\n'))
  },
  nextActions: () => [{ action_id: 'digest:open', label: 'Set up another' }],
})

const zoneConflict = (recurrence: Recurrence, zone: string): string | undefined =>
  recurrence.zone === zone
    ? undefined
    : `"When" names the time zone ${recurrence.zone}. Remove it there, or clear this field.`

const inZone = (context: ReadingContext, zone: string | undefined): ReadingContext => ({
  ...context,
  zone: zone || context.zone,
})

function saveResultToOutcome(result: SaveResult): Outcome<SavedDigests> {
  switch (result.kind) {
    case 'saved':
      return { kind: 'done', result }
    case 'refused':
      return refuseField('channel_id', result.message)
    case 'duplicate':
      return refuseField(
        'recurrence',
        'This digest already exists. See "/upnext digest list" in the channel.',
      )
    case 'gone':
      return refuseField('recurrence', 'This digest was deleted. Set up a new one with "/upnext digest".')
  }
}

export function openDigestForm(request: Request, digest: Digest): Promise<void> {
  const { channel_id, project_id, sections, when_empty, id, recurrence } = digest
  const { zone } = recurrence
  const values = {
    channel_id,
    recurrence: recurrenceToWords(recurrence),
    zone: { value: zone, label: zone },
    sections,
    when_empty,
  }
  return openForm(digestForm, request, {
    project_id,
    draft: { values, errors: {}, messages: [], replaces: id },
  })
}
