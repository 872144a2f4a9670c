import type { InputBlock, KnownBlock, ModalView } from '@slack/types'
import { context, escaped, plain, section } from '../reply.ts'
import type { Choice, Initial, Note, Picker } from './field.ts'
import type { Form } from './form.ts'
import { type Pick, pickElement } from './pick.ts'
import { type Projects, projectBlock } from './project-block.ts'

/** What comes along with a form while it is open. */
export type Along = {
  channel: string | undefined
  /** The way to answer there, for half an hour. */
  response_url?: string | undefined
  /** The project that is looked in: Slack does not tell it where options are asked for. */
  project?: string | undefined
  /** What it takes the place of: something in the outbox, or a digest. */
  replaces?: string | undefined
  /** What was pointed out already. */
  warned?: string
  /** Raised when values must be replaced: Slack keeps what stands under an old name. */
  generation?: number
}

export type Filled = Projects & {
  initial: Record<string, Initial>
  picked?: Choice | undefined
  /** What stands above fields, by their names: what was wrong with what they hold. */
  faults?: Record<string, string> | undefined
  /** What stands under fields, by their names. */
  notes?: Record<string, Note>
  /** What stands above the fields. */
  top?: string | undefined
  /** Whether the channel is to be told. */
  isTelling?: boolean | undefined
  along: Along
}

export const FORM = 'form:'
export const PROJECT = 'project'
export const PICK = 'pick'
export const TELL = 'tell'
export const OPTIONS = 'options:'
export const CHOSEN = 'chosen:'
export const INSTEAD = 'instead:'

export const formView = (
  form: Form,
  { initial, projects, isLost, project, top, along, picked, isTelling, faults = {}, notes = {} }: Filled,
): ModalView => ({
  type: 'modal',
  callback_id: FORM + form.verb,
  private_metadata: JSON.stringify({ ...along, project: project?.Id ?? along.project }),
  title: plain(form.title),
  submit: plain(submitLabel(form, initial)),
  close: plain('Cancel'),
  blocks: [
    ...(top ? [section(`:warning: ${top}`)] : []),
    projectBlock(projectNames(form), { projects, isLost, project }),
    ...(form.pick ? [pickBlock(form, form.pick, { along, picked })] : []),
    ...Object.entries(form.fields).flatMap(([name, field]): KnownBlock[] => {
      const { label, hint, isOptional, dispatches, element } = field
      const input: InputBlock = {
        type: 'input',
        block_id: name,
        label: plain(label),
        optional: isOptional,
        dispatch_action: dispatches,
        element: element(initial[name], actionOf(form, name, along)),
        ...(hint && { hint: plain(hint) }),
      }
      return [...faultBlocks(name, faults[name]), input, ...noteBlocks(form, name, notes[name])]
    }),
    ...(form.isForAll ? tellBlocks(along, isTelling) : []),
  ],
})

/** A form that cannot be filled in: it is not ready, or it is done. */
export const messageView = ({ title }: Form, ...blocks: KnownBlock[]): ModalView => ({
  type: 'modal',
  title: plain(title),
  close: plain('Close'),
  blocks,
})

const faultBlocks = (name: string, fault: string | undefined): KnownBlock[] =>
  fault ? [{ ...section(`:warning: ${escaped(fault)}`), block_id: `fault:${name}` }] : []

const MOST_BUTTONS = 5

const isLookedUp = ({ pick, fields }: Form) =>
  Boolean(pick) || Object.values(fields).some(({ options }) => options)

const submitLabel = ({ submit }: Form, initial: Filled['initial']): string =>
  typeof submit === 'string'
    ? submit
    : submit(
        Object.fromEntries(
          Object.entries(initial).map(([name, value]) => [
            name,
            typeof value === 'object' && !Array.isArray(value) ? value.value : value?.toString(),
          ]),
        ),
      )

const projectNames = (form: Form) => ({
  block_id: PROJECT,
  chosen: `${CHOSEN}${form.verb}`,
  lookedUp: `${OPTIONS}${form.verb}:${PROJECT}`,
  again: `${CHOSEN}${form.verb}:again`,
  dispatches: isLookedUp(form),
})

/** The form and the input that an action of these names is of. */
export const actionParts = (action_id: string): { verb: string; name: string } => {
  const [, verb = '', name = ''] = action_id.split(':')
  return { verb, name }
}

/** What Slack calls an input's action: it says what options are asked for, and of which generation it is. */
const actionOf = ({ verb, fields }: Form, name: string, { generation = 0 }: Along): string =>
  fields[name]?.options
    ? `${OPTIONS}${verb}:${name}:${generation}`
    : fields[name]?.dispatches
      ? `${CHOSEN}${verb}:${name}:${generation}`
      : `value:${generation}`

function noteBlocks({ verb, fields }: Form, name: string, note: Note | undefined): KnownBlock[] {
  const block_id = `note:${name}`
  if (!fields[name]?.note) return note ? [{ ...context(escaped(note.say)), block_id }] : []
  const text = { type: 'mrkdwn' as const, text: escaped(note?.say ?? 'Check says how this is read.') }
  const action_id = `${CHOSEN}${verb}:check:${name}`
  return [
    {
      type: 'section',
      block_id,
      text,
      accessory: { type: 'button', action_id, text: plain('Check') },
    },
    ...insteadBlocks(verb, name, note, fields[name]?.picker),
  ]
}

function insteadBlocks(
  verb: string,
  name: string,
  note: Partial<Note> = {},
  picker: Picker | undefined,
): KnownBlock[] {
  const { instead = [] } = note
  const buttons = instead.slice(0, MOST_BUTTONS).map((words, index) => ({
    type: 'button' as const,
    action_id: `${CHOSEN}${verb}:${INSTEAD}${index}`,
    text: plain(words.slice(0, 75)),
    value: words,
  }))
  const pickers = (picker?.elements(note) ?? []).map((element) => ({
    ...element,
    // Of another name for each thing that it shows: or it would go on showing what was picked in it.
    action_id: `${CHOSEN}${verb}:picker:${initialOf(element)}`.slice(0, 255),
  }))
  const elements = [...buttons, ...pickers]
  return elements.length ? [{ type: 'actions', block_id: `${INSTEAD}${name}`, elements }] : []
}

function initialOf(element: ReturnType<Picker['elements']>[number]): string {
  if (element.type === 'datetimepicker') return String(element.initial_date_time ?? '')
  if (element.type === 'timepicker') return `at ${element.initial_time ?? ''}`
  return `on ${element.initial_option?.value ?? ''}`
}

function pickBlock(
  { verb }: Form,
  pick: Pick,
  { along: { project = '' }, picked }: { along: Along; picked: Choice | undefined },
): InputBlock {
  const { label, hint, isOptional = false, options } = pick
  // What was picked in another project is not in this one.
  const action_id = options ? `${OPTIONS}${verb}:${PICK}:${project}` : `${CHOSEN}${verb}:${PICK}`
  return {
    type: 'input',
    block_id: PICK,
    label: plain(label),
    optional: isOptional,
    dispatch_action: true,
    element: pickElement(pick, action_id.slice(0, 255), picked),
    ...(hint && { hint: plain(hint) }),
  }
}

/** In a conversation with one person there is nobody else to tell. */
function tellBlocks({ channel = '' }: Along, isTelling = false): KnownBlock[] {
  if (!/^[CG]/.test(channel)) return []
  const options = [{ text: { type: 'mrkdwn' as const, text: `Tell <#${channel}> now` }, value: 'yes' }]
  return [
    {
      type: 'input',
      block_id: TELL,
      label: plain('Tell others'),
      optional: true,
      element: {
        type: 'checkboxes',
        action_id: TELL,
        options,
        ...(isTelling && { initial_options: options }),
      },
    },
  ]
}
