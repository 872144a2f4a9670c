import type { InputBlock, KnownBlock, ModalView } from '@slack/types'
import { buttonRow, context, escapeText, plainText, section } from '../slack/message-blocks.ts'
import { needsCompletion } from './complete-words.ts'
import type { FieldNote, ShownReading } from './field.ts'
import { firstValue } from './fields.ts'
import type { Form } from './form.ts'
import {
  attachmentBlock,
  CHANGE_PREFIX,
  errorBlocks,
  inputBlock,
  moreOptionsBlock,
  movedWordsBlocks,
  noteBlocks,
  notifyBlocks,
  OPTIONS_PREFIX,
  offerBlocks,
  previewButtonBlock,
  projectBlock,
  recordBlock,
  unfinishedBlock,
} from './form-blocks.ts'
import type { FormMetadata } from './form-metadata.ts'
import type { FormState } from './form-state.ts'
import type { FormValue, FormValues } from './form-value.ts'

export const FORM_PREFIX = 'form:'

export function formView(form: Form, state: FormState): ModalView {
  const { project, message, metadata, record, notifyChannel, errors = {}, notes = {} } = state
  return {
    type: 'modal',
    callback_id: FORM_PREFIX + form.verb,
    private_metadata: JSON.stringify({
      ...metadata,
      project: project?.Id ?? metadata.project,
      shown: shownReadings(notes, form, state.values),
    } satisfies FormMetadata),
    title: plainText(form.title),
    submit: plainText(submitLabel(form, state)),
    close: plainText('Cancel'),
    blocks: [
      ...(message ? [section(`:warning: ${message}`)] : []),
      ...(metadata.missingFile ? [section(missingFileMessage(metadata.missingFile))] : []),
      ...(metadata.unfinished ? [unfinishedBlock(form.verb, metadata.unfinished.label)] : []),
      ...(metadata.about ? [context(escapeText(metadata.about))] : []),
      projectBlock(form, state),
      ...(form.recordSelect ? [recordBlock(form, form.recordSelect, metadata.project, record)] : []),
      ...visibleFields(form, state).flatMap((name): KnownBlock[] => [
        ...errorBlocks(name, errors[name]),
        ...inputBlocks(form, name, state),
        ...noteBlocks(
          form,
          name,
          notes[name] ?? wordChoiceNote(metadata, name),
          metadata.suggestions?.[name],
        ),
        ...offerBlocks(form, name, state.values, metadata),
        ...(metadata.movedWords?.field === name ? movedWordsBlocks(form.verb, metadata.movedWords) : []),
      ]),
      ...(hasHiddenFields(form, state) ? [moreOptionsBlock(form.verb)] : []),
      ...(form.canNotifyChannel ? notifyBlocks(metadata.channel, notifyChannel) : []),
      ...(form.preview ? [previewButtonBlock(form.verb)] : []),
      ...buttonRow(...(form.extraActions?.(metadata) ?? [])),
    ],
  }
}

const missingFileMessage = (name: string): string =>
  `:warning: Add ${escapeText(name)} again: Slack doesn't keep the files of closed forms.`

/** The note that asks which words of the text fill in an empty field. */
function wordChoiceNote({ wordsToChoose }: FormMetadata, name: string): FieldNote | undefined {
  if (wordsToChoose?.field !== name) return undefined
  const { question, choices } = wordsToChoose
  return { message: question, alternatives: choices.map(({ words }) => words) }
}

/** Only empty fields are hidden, so no input is lost. */
function visibleFields({ fields, upload }: Form, { values, metadata }: FormState): string[] {
  const { attachment, showsMore } = metadata
  const replacedFields =
    attachment && [upload?.file, upload?.link].filter((name) => name !== attachment.field)
  const isVisible = (name: string) => {
    if (hasValue(values[name])) return true
    const { isAdvanced = false, isNeeded = () => true } = fields[name] ?? {}
    return !replacedFields?.includes(name) && (!isAdvanced || showsMore) && isNeeded(values)
  }
  return Object.keys(fields).filter(isVisible)
}

/** The input for a field, or the attachment or explanation in its place. */
function inputBlocks(form: Form, name: string, state: FormState): KnownBlock[] {
  const { attachment, unavailableFields } = state.metadata
  if (attachment?.field === name) return [attachmentBlock(form, attachment.description)]
  const explanation = unavailableFields?.[name]
  if (explanation === undefined) return [fieldBlock(form, name, state)]
  return explanation ? [{ ...context(escapeText(explanation)), block_id: `unavailable:${name}` }] : []
}

const hasHiddenFields = (form: Form, state: FormState): boolean =>
  Object.keys(form.fields).some(
    (name) => form.fields[name]?.isAdvanced && !visibleFields(form, state).includes(name),
  )

const hasValue = (value: FormValue): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))

/** Of the fields that should have a value, the first empty one or, if none is empty, the first one. */
function fieldToFocus({ fields }: Form, { values }: FormState): string | undefined {
  const wanted = Object.keys(fields).filter((name) => {
    const { isOptional = false, isExpected = false } = fields[name] ?? {}
    return !isOptional || isExpected
  })
  return wanted.find((name) => !hasValue(values[name])) ?? wanted[0]
}

export function shownReadings(
  notes: Record<string, FieldNote>,
  { fields }: Form,
  values: FormValues,
): Record<string, ShownReading> {
  const shown = Object.entries(notes).flatMap(([name, note]) => {
    if (!note.shown) return []
    // The note explains a date, but the input still has the words that it stands for, such as "next free slot".
    const typed = firstValue(values[name])
    const isCompleted = fields[name] && needsCompletion(fields[name], typed)
    return [[name, { ...note.shown, ...(isCompleted && { text: typed?.trim() }) }]]
  })
  return Object.fromEntries(shown)
}

export const submitLabel = (
  { submitLabel: label }: Pick<Form, 'submitLabel'>,
  { values, metadata }: Pick<FormState, 'values' | 'metadata'>,
): string => (typeof label === 'string' ? label : label(values, metadata.opened))

const EVERY_KEYSTROKE = { trigger_actions_on: ['on_enter_pressed', 'on_character_entered'] }

function fieldBlock(form: Form, name: string, state: FormState): InputBlock {
  const { verb, fields } = form
  const { values, metadata, isNew = false } = state
  const field = fields[name]
  if (!field) throw new Error(`The form "${verb}" has no field "${name}".`)
  const {
    label,
    hint,
    isOptional = false,
    isRequired = () => false,
    updatesForm = false,
    search,
    element,
  } = field
  // An updated view can't contain the picked file, and Slack keeps the file only if the action id stays the same.
  const generation = form.upload?.file === name ? 0 : (metadata.generation ?? 0)
  const id = `${verb}:${name}:${generation}`
  const idFor = (isReported: boolean) =>
    search ? OPTIONS_PREFIX + id : isReported ? CHANGE_PREFIX + id : `value:${id}`
  const input = element(values[name], idFor(updatesForm), metadata.unavailable)
  const isText = input.type === 'plain_text_input'
  // Slack never sends the input of a closed form, so a form that can be continued reports every keystroke.
  const isReported = updatesForm || (isText && form.creation !== undefined)
  const dispatchConfig = isReported && isText ? { dispatch_action_config: EVERY_KEYSTROKE } : {}
  return inputBlock({
    block_id: name,
    label,
    // The hint shows example words, which help only until the field has words.
    hint: field.picker && hasValue(values[name]) ? undefined : hint,
    optional: isOptional && !isRequired(values),
    dispatch_action: isReported,
    element: {
      ...input,
      action_id: idFor(isReported),
      ...dispatchConfig,
      ...(isNew && fieldToFocus(form, state) === name && { focus_on_load: true }),
    } as InputBlock['element'],
  })
}

/** The form and the input that an action id belongs to. */
export function parseActionId(action_id: string): { verb: string; name: string } {
  const [, verb = '', name = ''] = action_id.split(':')
  return { verb, name }
}
