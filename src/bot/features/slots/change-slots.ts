import { DateTime } from 'luxon'
import { platformName } from '../../../platforms/platform-names.ts'
import { addMs } from '../../../runtime.ts'
import { zoneLabel } from '../../../time/describe.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { findVersioned, replaceIfUnchanged } from '../../database/versioned-row.ts'
import type { Field } from '../../forms/field.ts'
import { textField } from '../../forms/fields.ts'
import type { OpenedRecord } from '../../forms/form-value.ts'
import { defineForm } from '../../forms/open-form.ts'
import { refuseField, refuseOutdated } from '../../forms/outcome.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import { loadProfile } from '../../slack/profile.ts'
import { findFirstSlot, listSlots, readSlotRules, type Slot, slotRulesToText } from './slot-rules.ts'
import type { SlotRule } from './tables.ts'

type Input = { Slots?: string }

const WEEK_MS = 7 * 24 * 60 * 60_000
const MAX_SLOTS_NAMED = 3

/** "10 slots in the next 7 days: Fri 20 Nov, 17:00 · Mon 23 Nov, 09:00 · Mon 23 Nov, 17:00 · …" */
function describeSlots(rules: SlotRule[], { zone, now }: ReadingContext): string {
  const formatSlot = ({ at, platforms }: Slot) => {
    const names = platforms.length ? ` (${platforms.map(platformName).join(', ')})` : ''
    return `${DateTime.fromJSDate(at, { zone }).toFormat('ccc d LLL, HH:mm')}${names}`
  }
  const slots = listSlots(rules, now, addMs(now, WEEK_MS))
  const named = [
    ...slots.slice(0, MAX_SLOTS_NAMED).map(formatSlot),
    ...(slots.length > MAX_SLOTS_NAMED ? ['…'] : []),
  ]
  // Times are shown in the user's zone, so it is named if the rules are in another one.
  const zoneNote = rules.some(({ recurrence }) => recurrence.zone !== zone)
    ? ` (${zoneLabel(zone)} time)`
    : ''
  const [next] = slots.length ? [] : findFirstSlot(rules, now)
  if (next) return `No slot in the next 7 days. The next is ${formatSlot(next)}${zoneNote}.`
  const count = `${slots.length} slot${slots.length === 1 ? '' : 's'}`
  return `${count} in the next 7 days${zoneNote}: ${named.join(' · ')}`
}

const slotsField: Field<string> = {
  ...textField('Slots', {
    multiline: true,
    hint: 'One line for each set of times: "weekdays at 9:00 and 17:00", "LinkedIn: Tuesdays at 8:30". Clear this field to remove all slots.',
  }),
  isOptional: true,
  updatesForm: true,
  read: ({ value }, context) => {
    if (!value?.trim()) return undefined
    const read = readSlotRules(value, context)
    if ('error' in read) return { error: read.error, note: { message: read.error } }
    return { values: [value], note: { message: describeSlots(read.rules, context) } }
  },
}

export const changeSlots = defineForm<Input, { rules: SlotRule[] }, OpenedRecord>({
  verb: 'slots',
  usage: '[weekdays at 9:00 and 17:00]',
  help: 'Set the posting times of a project. "next free slot" then works wherever you enter a time.',
  title: 'Slots',
  submitLabel: 'Save',
  permission: 'write',
  fields: { Slots: slotsField },
  loadCurrentValues: async ({ bot, actor, text }, project_id) => {
    const key = { team_id: actor.team_id, project_id }
    const { row, version } = await findVersioned(bot.db, 'slot_rules', key)
    // Slots that were typed after the command come after the current ones.
    const Slots = [slotRulesToText(row?.rules ?? []), text.trim()].filter(Boolean).join('\n')
    return { values: { Slots }, version }
  },
  send: async ({ Slots = '' }, { bot, actor, project, opened }) => {
    const profile = await loadProfile(bot, actor)
    const read = readSlotRules(Slots, { ...profile, now: bot.runtime.now() })
    if ('error' in read) return refuseField('Slots', read.error)
    const key = { team_id: actor.team_id, project_id: project.Id }
    const row = read.rules.length ? { ...key, rules: JSON.stringify(read.rules) } : undefined
    const newer = await replaceIfUnchanged(bot.db, 'slot_rules', key, { seen: opened.etag, row })
    const current = slotRulesToText(newer?.row?.rules ?? [])
    if (!newer || current === slotRulesToText(read.rules)) return { kind: 'done', result: read }
    return refuseOutdated(opened, newer.version, {
      message: `Someone else changed these slots. They are now:\n${current || 'none'}\n`,
      question: "You're about to replace them with:",
      submitLabel: 'Replace these slots',
      overridden: 'Someone else had changed the slots. You replaced their version.',
    })
  },
  successReply: ({ rules }, { project }) =>
    textReply(
      rules.length
        ? `*Slots of ${escapeText(project.Name)}*\n${escapeText(slotRulesToText(rules))}`
        : `${escapeText(project.Name)} has no slots.`,
    ),
})
