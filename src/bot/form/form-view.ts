import type { InputBlock, KnownBlock, ModalView } from '@slack/types'
import { plainText, section } from '../message-blocks.ts'
import type { NamedProject } from '../projects/projects.ts'
import type { FieldNote } from './field.ts'
import type { Form } from './form.ts'
import {
  CHANGE_PREFIX,
  errorBlocks,
  noteBlocks,
  notifyBlocks,
  OPTIONS_PREFIX,
  projectBlock,
  recordBlock,
} from './form-blocks.ts'
import type { Choice, FormValues } from './form-value.ts'

/** What travels with an open form, in its private_metadata. */
export type FormMetadata = {
  channel: string | undefined
  response_url?: string | undefined
  /** Slack doesn't report the state of inputs when it asks for the options of a menu. */
  project?: string | undefined
  /** The outbox item or digest that this form replaces. */
  replaces?: string | undefined
  confirmedWarnings?: string
  /** Part of the inputs' action ids. Slack shows new values only under new ids. */
  generation?: number
}

/** Everything that a form shows. */
export type FormState = {
  metadata: FormMetadata
  values: FormValues
  /** Undefined until the projects are loaded. */
  projects?: NamedProject[] | 'searched' | undefined
  projectsFailed?: boolean | undefined
  project?: NamedProject | undefined
  record?: Choice | undefined
  errors?: Record<string, string> | undefined
  notes?: Record<string, FieldNote>
  /** A message above the fields. */
  message?: string | undefined
  notifyChannel?: boolean | undefined
}

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
      projectBlock(form, state),
      ...(form.recordSelect ? [recordBlock(form, form.recordSelect, metadata.project, record)] : []),
      ...Object.keys(form.fields).flatMap((name): KnownBlock[] => [
        ...errorBlocks(name, errors[name]),
        inputBlock(form, name, state),
        ...noteBlocks(form, name, notes[name]),
      ]),
      ...(form.canNotifyChannel ? notifyBlocks(metadata.channel, notifyChannel) : []),
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

function inputBlock(form: Form, name: string, { values, metadata }: FormState): InputBlock {
  const field = form.fields[name]
  if (!field) throw new Error(`The form "${form.verb}" has no field "${name}".`)
  const { label, hint, isOptional, updatesForm, element } = field
  return {
    type: 'input',
    block_id: name,
    label: plainText(label),
    optional: isOptional,
    dispatch_action: updatesForm,
    element: element(values[name], inputActionId(form, name, metadata)),
    ...(hint && { hint: plainText(hint) }),
  }
}

function inputActionId({ verb, fields }: Form, name: string, { generation = 0 }: FormMetadata): string {
  if (fields[name]?.search) return `${OPTIONS_PREFIX}${verb}:${name}:${generation}`
  return fields[name]?.updatesForm ? `${CHANGE_PREFIX}${verb}:${name}:${generation}` : `value:${generation}`
}

/** The form and the input that an action id belongs to. */
export function parseActionId(action_id: string): { verb: string; name: string } {
  const [, verb = '', name = ''] = action_id.split(':')
  return { verb, name }
}
