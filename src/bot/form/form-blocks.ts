import type { InputBlock, KnownBlock } from '@slack/types'
import { isChannelId } from '../actor.ts'
import { context, escapeText, MAX_OPTIONS, plainText, section, selectOption } from '../message-blocks.ts'
import { type NamedProject, NO_PROJECTS_MESSAGE } from '../projects/projects.ts'
import type { FieldNote, Picker } from './field.ts'
import type { Form, RecordSelect } from './form.ts'
import type { Choice } from './form-value.ts'

// Block ids of inputs that aren't fields of the API.
export const PROJECT_BLOCK = 'project'
export const RECORD_BLOCK = 'record'
export const NOTIFY_BLOCK = 'notify'
/** With the field's name: the row of alternatives and pickers below a field. */
export const ALTERNATIVES_PREFIX = 'alternatives:'

// Action ids name their form and input after a prefix.
export const OPTIONS_PREFIX = 'options:'
export const CHANGE_PREFIX = 'change:'

type ProjectState = {
  projects?: NamedProject[] | 'searched' | undefined
  projectsFailed?: boolean | undefined
  project?: NamedProject | undefined
}

/** The project menu at the top of each form, or the reason why there is none yet. */
export function projectBlock(form: Form, { projects, projectsFailed, project }: ProjectState): KnownBlock {
  if (!projects) return projectsFailed ? retryBlock(form) : loadingBlock('Loading projects…')
  if (!projects.length) return { ...context(NO_PROJECTS_MESSAGE), block_id: 'no-projects' }
  const initial = project && {
    initial_option: selectOption({ value: project.Id, label: project.Name }),
  }
  const isSearched = projects === 'searched' || projects.length > MAX_OPTIONS
  const element: InputBlock['element'] = isSearched
    ? {
        type: 'external_select',
        action_id: `${OPTIONS_PREFIX}${form.verb}:${PROJECT_BLOCK}`,
        min_query_length: 0,
        ...initial,
      }
    : {
        type: 'static_select',
        action_id: `${CHANGE_PREFIX}${form.verb}`,
        options: projects.map(({ Id, Name }) => selectOption({ value: Id, label: Name })),
        ...initial,
      }
  const hasSearch = Boolean(form.recordSelect) || Object.values(form.fields).some(({ search }) => search)
  return {
    type: 'input',
    block_id: PROJECT_BLOCK,
    label: plainText('Project'),
    // The searched menus of the form depend on the project, which Slack reports only when it changes.
    dispatch_action: hasSearch,
    element,
  }
}

const PROJECT_STATUS_BLOCK = 'project-status'

const loadingBlock = (text: string): KnownBlock => ({ ...context(text), block_id: PROJECT_STATUS_BLOCK })

const retryBlock = ({ verb }: Form): KnownBlock => ({
  type: 'section',
  block_id: PROJECT_STATUS_BLOCK,
  text: { type: 'mrkdwn', text: "Couldn't load the projects." },
  accessory: {
    type: 'button',
    action_id: `${CHANGE_PREFIX}${verb}:retry`,
    text: plainText('Try again'),
  },
})

export function recordBlock(
  { verb }: Form,
  { label, hint, isOptional = false, search }: RecordSelect,
  project = '',
  record: Choice | undefined,
): InputBlock {
  // The project is part of the id, so that Slack drops a choice made in another project.
  const action_id = search
    ? `${OPTIONS_PREFIX}${verb}:${RECORD_BLOCK}:${project}`.slice(0, MAX_ACTION_ID_LENGTH)
    : `${CHANGE_PREFIX}${verb}:${RECORD_BLOCK}`
  const element: InputBlock['element'] = search
    ? {
        type: 'external_select',
        action_id,
        min_query_length: 0,
        ...(record && { initial_option: selectOption(record) }),
      }
    : { type: 'users_select', action_id, ...(record && { initial_user: record.value }) }
  return {
    type: 'input',
    block_id: RECORD_BLOCK,
    label: plainText(label),
    optional: isOptional,
    dispatch_action: true,
    element,
    ...(hint && { hint: plainText(hint) }),
  }
}

const MAX_ACTION_ID_LENGTH = 255

export const errorBlocks = (name: string, error: string | undefined): KnownBlock[] =>
  error ? [{ ...section(`:warning: ${escapeText(error)}`), block_id: `error:${name}` }] : []

/** The note under a field; for a field in plain words also a Check button, alternatives and pickers. */
export function noteBlocks({ verb, fields }: Form, name: string, note: FieldNote | undefined): KnownBlock[] {
  const block_id = `note:${name}`
  const field = fields[name]
  if (!field?.note) return note ? [{ ...context(escapeText(note.message)), block_id }] : []
  const text = escapeText(note?.message ?? 'Press Check to see how this is read.')
  return [
    {
      type: 'section',
      block_id,
      text: { type: 'mrkdwn', text },
      accessory: {
        type: 'button',
        action_id: `${CHANGE_PREFIX}${verb}:check:${name}`,
        text: plainText('Check'),
      },
    },
    ...alternativeBlocks(verb, name, note, field.picker),
  ]
}

const MAX_ALTERNATIVES = 5
const MAX_BUTTON_LENGTH = 75

function alternativeBlocks(
  verb: string,
  name: string,
  note: Partial<FieldNote> = {},
  picker: Picker | undefined,
): KnownBlock[] {
  const { alternatives = [] } = note
  const buttons = alternatives.slice(0, MAX_ALTERNATIVES).map((text, index) => ({
    type: 'button' as const,
    action_id: `${CHANGE_PREFIX}${verb}:${ALTERNATIVES_PREFIX}${index}`,
    text: plainText(text.slice(0, MAX_BUTTON_LENGTH)),
    value: text,
  }))
  const pickers = (picker?.elements(note) ?? []).map((element) => ({
    ...element,
    // Slack keeps showing what was picked unless the id changes with the value.
    action_id: `${CHANGE_PREFIX}${verb}:picker:${initialValueOf(element)}`.slice(0, MAX_ACTION_ID_LENGTH),
  }))
  const elements = [...buttons, ...pickers]
  return elements.length ? [{ type: 'actions', block_id: `${ALTERNATIVES_PREFIX}${name}`, elements }] : []
}

function initialValueOf(element: ReturnType<Picker['elements']>[number]): string {
  if (element.type === 'datetimepicker') return String(element.initial_date_time ?? '')
  if (element.type === 'timepicker') return `time ${element.initial_time ?? ''}`
  return `days ${element.initial_option?.value ?? ''}`
}

/** A direct message has no channel to notify. */
export function notifyBlocks(channel = '', notifyChannel = false): KnownBlock[] {
  if (!isChannelId(channel)) return []
  const options = [{ text: { type: 'mrkdwn' as const, text: `Post in <#${channel}>` }, value: 'yes' }]
  return [
    {
      type: 'input',
      block_id: NOTIFY_BLOCK,
      label: plainText('Notify'),
      optional: true,
      element: {
        type: 'checkboxes',
        action_id: NOTIFY_BLOCK,
        options,
        ...(notifyChannel && { initial_options: options }),
      },
    },
  ]
}
