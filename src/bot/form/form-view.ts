import type { InputBlock, KnownBlock, ModalView } from '@slack/types'
import type { KnownProject } from '../projects.ts'
import { section } from '../reply.ts'
import type { Form } from './form.ts'

/** What comes along with a form while it is open. */
export type Along = {
  channel: string | undefined
  /** What is sent beside what is filled in. */
  fixed?: Record<string, string>
}

export type Filled = {
  initial: Record<string, string | string[] | undefined>
  /** Undefined as long as they are being looked for. */
  projects?: KnownProject[] | undefined
  project?: KnownProject | undefined
  /** What stands above the fields. */
  top?: string | undefined
  along: Along
}

export const FORM = 'form:'
export const PROJECT = 'project'

const plain = (text: string) => ({ type: 'plain_text' as const, text })

export const formView = (form: Form, { initial, projects, project, top, along }: Filled): ModalView => ({
  type: 'modal',
  callback_id: FORM + form.verb,
  private_metadata: JSON.stringify(along),
  title: plain(form.title),
  submit: plain(form.submit),
  close: plain('Cancel'),
  blocks: [
    ...(top ? [section(`:warning: ${top}`)] : []),
    projectBlock(projects, project),
    ...Object.entries(form.fields).map(([name, field]): InputBlock => {
      const { label, hint, isOptional, element } = field
      return {
        type: 'input',
        block_id: name,
        label: plain(label),
        optional: isOptional,
        element: element(initial[name]),
        ...(hint && { hint: plain(hint) }),
      }
    }),
  ],
})

const MOST_OPTIONS = 100

function projectBlock(projects: KnownProject[] | undefined, project: KnownProject | undefined): KnownBlock {
  if (!projects)
    return { type: 'context', block_id: 'looking', elements: [plain('Looking for the projects…')] }
  const options = projects
    .slice(0, MOST_OPTIONS)
    .map(({ Id, Name }) => ({ text: plain(Name.slice(0, 75)), value: Id }))
  const chosen = options.find(({ value }) => value === project?.Id)
  if (!options.length)
    return {
      type: 'context',
      block_id: 'none',
      elements: [plain("There is no project that the bot's token can see.")],
    }
  return {
    type: 'input',
    block_id: PROJECT,
    label: plain('Project'),
    element: {
      type: 'static_select',
      action_id: 'value',
      options,
      ...(chosen && { initial_option: chosen }),
    },
  }
}
