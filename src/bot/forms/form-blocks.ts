import type { Checkboxes, InputBlock, KnownBlock } from '@slack/types'
import { isChannelId } from '../slack/actor.ts'
import {
  buttonElement,
  type Choice,
  context,
  escapeText,
  MAX_OPTIONS,
  plainText,
  searchMenu,
  section,
  toMenuOption,
} from '../slack/message-blocks.ts'
import type { NamedProject } from '../slack/project-list.ts'
import { NO_PROJECTS_MESSAGE } from '../slack/projects.ts'
import type { FieldNote, Picker, PickerElement } from './field.ts'
import type { Form, RecordSelect } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import type { FormValues } from './form-value.ts'
import type { MovedWords } from './moved-words.ts'

// Block ids of inputs that aren't fields of the API.
export const PROJECT_BLOCK = 'project'
export const RECORD_BLOCK = 'record'
export const NOTIFY_BLOCK = 'notify'
export const MOVED_WORDS_BLOCK = 'moved-words'
export const MORE_BLOCK = 'more-options'
export const ATTACHMENT_BLOCK = 'attachment'
export const UNFINISHED_BLOCK = 'unfinished'
export const PREVIEW_BLOCK = 'preview'
export const OFFER_BLOCK = 'offer'
/** Followed by a field's name, this is the block id of the alternatives and pickers below that field. */
export const ALTERNATIVES_PREFIX = 'alternatives:'

// An action id is a prefix, followed by the names of the form and the input.
export const OPTIONS_PREFIX = 'options:'
export const CHANGE_PREFIX = 'change:'
const MAX_ACTION_ID_LENGTH = 255

type Input = Pick<InputBlock, 'block_id' | 'optional' | 'dispatch_action' | 'element'> & {
  label: string
  hint?: string | undefined
}

export const inputBlock = ({ label, hint, ...input }: Input): InputBlock => ({
  type: 'input',
  label: plainText(label),
  ...(hint && { hint: plainText(hint) }),
  ...input,
})

export type ProjectState = {
  /** Undefined until the projects are loaded. */
  projects?: NamedProject[] | 'searched' | undefined
  projectsFailed?: boolean
  project?: NamedProject | undefined
}

export function projectBlock(form: Form, { projects, projectsFailed, project }: ProjectState): KnownBlock {
  const { verb, recordSelect, fields } = form
  const block_id = 'project-status'
  if (!projects && projectsFailed) {
    const accessory = buttonElement({ action_id: `${CHANGE_PREFIX}${verb}:retry`, label: 'Try again' })
    return { ...section("Couldn't load the projects."), block_id, accessory }
  }
  if (!projects) return { ...context('Loading projects…'), block_id }
  if (!projects.length) return { ...context(NO_PROJECTS_MESSAGE), block_id: 'no-projects' }
  const choice = project && toChoice(project)
  const isSearched = projects === 'searched' || projects.length > MAX_OPTIONS
  return inputBlock({
    block_id: PROJECT_BLOCK,
    label: 'Project',
    // Search menus of the form depend on the project, and without this Slack reports a new choice only at submission.
    dispatch_action: Boolean(recordSelect) || Object.values(fields).some(({ search }) => search),
    element: isSearched
      ? searchMenu(`${OPTIONS_PREFIX}${verb}:${PROJECT_BLOCK}`, choice)
      : {
          type: 'static_select',
          action_id: `${CHANGE_PREFIX}${verb}`,
          options: projects.map((listed) => toMenuOption(toChoice(listed))),
          ...(choice && { initial_option: toMenuOption(choice) }),
        },
  })
}

const toChoice = ({ Id, Name }: NamedProject): Choice => ({ value: Id, label: Name })

export function recordBlock(
  { verb }: Form,
  { label, hint, isOptional = false, search }: RecordSelect,
  project = '',
  record: Choice | undefined,
): InputBlock {
  // The project is part of the id, so that Slack drops a choice made in another project.
  const searchId = `${OPTIONS_PREFIX}${verb}:${RECORD_BLOCK}:${project}`.slice(0, MAX_ACTION_ID_LENGTH)
  const changeId = `${CHANGE_PREFIX}${verb}:${RECORD_BLOCK}`
  return inputBlock({
    block_id: RECORD_BLOCK,
    label,
    hint,
    optional: isOptional,
    dispatch_action: true,
    element: search
      ? searchMenu(searchId, record)
      : { type: 'users_select', action_id: changeId, ...(record && { initial_user: record.value }) },
  })
}

export const errorBlocks = (name: string, error: string | undefined): KnownBlock[] =>
  error ? [{ ...section(`:warning: ${escapeText(error)}`), block_id: `error:${name}` }] : []

/** The note under a field. A field in plain words also has alternatives and pickers. */
export function noteBlocks(
  { verb, fields }: Form,
  name: string,
  note: FieldNote | undefined,
  suggestion: string | undefined,
): KnownBlock[] {
  const block_id = `note:${name}`
  const field = fields[name]
  const line = note ? [{ ...context(escapeText(note.message)), block_id }] : []
  if (!field?.picker) return line
  const { alternatives = [] } = note ?? {}
  const elements = [
    ...alternatives.slice(0, MAX_ALTERNATIVES).map((text, index) => wordsButton(verb, `${index}`, text)),
    ...pickerElements(verb, note, field.picker),
    ...(suggestion ? [wordsButton(verb, 'suggestion', suggestion)] : []),
  ]
  return [...line, { type: 'actions', block_id: `${ALTERNATIVES_PREFIX}${name}`, elements }]
}

const MAX_ALTERNATIVES = 5

/** A button that fills in these words. "Next free slot" fills in "next free slot". */
const wordsButton = (verb: string, id: string, value: string) =>
  buttonElement({
    action_id: `${CHANGE_PREFIX}${verb}:${ALTERNATIVES_PREFIX}${id}`,
    label: id === 'suggestion' ? value.charAt(0).toUpperCase() + value.slice(1) : value,
    value,
  })

const pickerElements = (verb: string, note: FieldNote | undefined, picker: Picker) =>
  picker.elements(note ?? {}).map((element) => ({
    ...element,
    // Slack keeps showing the earlier pick unless the action id changes with the value.
    action_id: `${CHANGE_PREFIX}${verb}:picker:${initialValueOf(element)}`.slice(0, MAX_ACTION_ID_LENGTH),
  }))

function initialValueOf(element: PickerElement): string {
  if (element.type === 'datetimepicker') return String(element.initial_date_time ?? '')
  if (element.type === 'timepicker') return `time ${element.initial_time ?? ''}`
  return `days ${element.initial_option?.value ?? ''}`
}

export function movedWordsBlocks(verb: string, { words, target, isInText }: MovedWords): KnownBlock[] {
  const quoted = `"${escapeText(words)}"`
  const message = isInText
    ? `${quoted} is filled in under ${target}, and is also in the text.`
    : `Moved ${quoted} from the text to ${target}.`
  const label = isInText ? 'Remove from text' : 'Keep in text'
  return [buttonSection(verb, MOVED_WORDS_BLOCK, { text: message, label })]
}

export function attachmentBlock({ verb, fields, upload }: Form, description: string): KnownBlock {
  const name = fields[upload?.file ?? '']?.label ?? ''
  const text = `*${name}*\n${escapeText(description)}`
  return buttonSection(verb, ATTACHMENT_BLOCK, { text, label: 'Remove' })
}

/** Shows a button below a field. Pressing it fills in other fields. */
export function offerBlocks(
  { verb, offer }: Form,
  name: string,
  values: FormValues,
  { unavailableFields = {} }: FormMetadata,
): KnownBlock[] {
  if (offer?.field !== name || !offer.isOffered(values)) return []
  const isUnavailable = (other: string) => unavailableFields[other] !== undefined
  if (Object.keys(offer.change(values)).some(isUnavailable)) return []
  return [buttonBlock(verb, OFFER_BLOCK, offer.label)]
}

export const moreOptionsBlock = (verb: string) => buttonBlock(verb, MORE_BLOCK, 'More options')

export const previewButtonBlock = (verb: string) => buttonBlock(verb, PREVIEW_BLOCK, 'Preview')

export const unfinishedBlock = (verb: string, label: string) =>
  buttonSection(verb, UNFINISHED_BLOCK, { text: 'You closed a form without submitting it.', label })

const changeButton = (verb: string, block_id: string, label: string) =>
  buttonElement({ action_id: `${CHANGE_PREFIX}${verb}:${block_id}`, label })

const buttonBlock = (verb: string, block_id: string, label: string): KnownBlock => {
  return { type: 'actions', block_id, elements: [changeButton(verb, block_id, label)] }
}

const buttonSection = (
  verb: string,
  block_id: string,
  { text, label }: { text: string; label: string },
): KnownBlock => ({ ...section(text), block_id, accessory: changeButton(verb, block_id, label) })

/** A direct message has no channel to notify. */
export function notifyBlocks(channel = '', notifyChannel = false): KnownBlock[] {
  if (!isChannelId(channel)) return []
  const options = [{ text: { type: 'mrkdwn' as const, text: `Post in <#${channel}>` }, value: 'yes' }]
  const checkbox: Checkboxes = { type: 'checkboxes', action_id: NOTIFY_BLOCK, options }
  const element = notifyChannel ? { ...checkbox, initial_options: options } : checkbox
  return [inputBlock({ block_id: NOTIFY_BLOCK, label: 'Notify', optional: true, element })]
}
