import type { InputBlock, KnownBlock, ModalView } from '@slack/types'
import { buttonRow, context, escapeText, plainText, section } from '../message-blocks.ts'
import type { Form } from './form.ts'
import {
  CHANGE_PREFIX,
  errorBlocks,
  inputBlock,
  movedWordsBlocks,
  noteBlocks,
  notifyBlocks,
  OPTIONS_PREFIX,
  projectBlock,
  recordBlock,
} from './form-blocks.ts'
import type { FormState } from './form-state.ts'
import type { FormValues } from './form-value.ts'

export const FORM_PREFIX = 'form:'

export function formView(form: Form, state: FormState): ModalView {
  const { values, project, message, metadata, record, notifyChannel, errors = {}, notes = {} } = state
  return {
    type: 'modal',
    callback_id: FORM_PREFIX + form.verb,
    private_metadata: JSON.stringify({ ...metadata, project: project?.Id ?? metadata.project }),
    title: plainText(form.title),
    submit: plainText(submitLabel(form, values)),
    close: plainText('Cancel'),
    blocks: [
      ...(message ? [section(`:warning: ${message}`)] : []),
      ...(metadata.about ? [context(escapeText(metadata.about))] : []),
      projectBlock(form, state),
      ...(form.recordSelect ? [recordBlock(form, form.recordSelect, metadata.project, record)] : []),
      ...Object.keys(form.fields).flatMap((name): KnownBlock[] => [
        ...errorBlocks(name, errors[name]),
        fieldBlock(form, name, state),
        ...noteBlocks(form, name, notes[name]),
        ...(metadata.movedWords?.field === name ? movedWordsBlocks(form.verb, metadata.movedWords) : []),
      ]),
      ...(form.canNotifyChannel ? notifyBlocks(metadata.channel, notifyChannel) : []),
      ...buttonRow(...(form.extraActions?.(metadata) ?? [])),
    ],
  }
}

/** A modal without inputs: while a form loads, and when it is done. */
export const messageView = (title: string, ...blocks: KnownBlock[]): ModalView => ({
  type: 'modal',
  title: plainText(title),
  close: plainText('Close'),
  blocks,
})

export const submitLabel = ({ submitLabel: label }: Pick<Form, 'submitLabel'>, values: FormValues): string =>
  typeof label === 'string' ? label : label(values)

function fieldBlock({ verb, fields }: Form, name: string, { values, metadata }: FormState): InputBlock {
  const field = fields[name]
  if (!field) throw new Error(`The form "${verb}" has no field "${name}".`)
  const { label, hint, isOptional = false, updatesForm = false, search, element } = field
  const id = `${verb}:${name}:${metadata.generation ?? 0}`
  const action_id = search ? OPTIONS_PREFIX + id : updatesForm ? CHANGE_PREFIX + id : `value:${id}`
  return inputBlock({
    block_id: name,
    label,
    hint,
    optional: isOptional,
    dispatch_action: updatesForm,
    element: element(values[name], action_id, metadata.unavailable),
  })
}

/** The form and the input that an action id belongs to. */
export function parseActionId(action_id: string): { verb: string; name: string } {
  const [, verb = '', name = ''] = action_id.split(':')
  return { verb, name }
}
