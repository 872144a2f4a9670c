import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { FieldError } from '../../api/result.ts'
import type { Actor } from '../slack/actor.ts'
import type { Bot } from '../slack/bot.ts'
import { escapeText } from '../slack/message-blocks.ts'
import type { Announcement } from '../slack/notify.ts'
import type { UserProfile } from '../slack/profile.ts'
import type { NamedProject } from '../slack/project-list.ts'
import type { SlackFile } from '../slack/slack-file.ts'
import { joinMessages, notesInView, placeErrors } from './field-messages.ts'
import type { Form } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import { type FormState, firstInputBlockId, readingContext } from './form-state.ts'
import type { OpenedRecord } from './form-value.ts'
import { formView } from './form-view.ts'

/** The response to Slack. Undefined closes the form. */
export type FormResponse =
  | { response_action: 'errors'; errors: Record<string, string> }
  | { response_action: 'update' | 'push'; view: ModalView }
  | { response_action: 'clear' }
  | undefined

export type SubmissionResult = {
  response: FormResponse
  announcement?: Announcement
  /** The metadata of the form that succeeded. */
  metadata?: FormMetadata
  /** Runs after Slack has its response. */
  followUp?: () => Promise<void>
}

export type Submission = {
  form: Form
  bot: Bot
  actor: Actor
  view: ViewOutput
  /** The view with the words that the user typed. In `view`, words such as "next free slot" are replaced by a date. */
  typedView: ViewOutput
  state: FormState
  now: Date
  /** Identifies the warnings that the user has confirmed. Undefined if the form itself was submitted. */
  confirmedWarnings: string | undefined
  /** The service must respond by this time, so that Slack gets its response in time. */
  deadline: Date
}

export type AuthorizedSubmission = Submission & { profile: UserProfile }

export type ValidSubmission = AuthorizedSubmission & {
  project: NamedProject
  body: Record<string, unknown>
  record_id: string | undefined
  replaces: string | undefined
  opened: OpenedRecord | undefined
  resultWarnings: string[]
}

export function reopenWithMessage(
  { form, bot, view, state, profile, now }: AuthorizedSubmission,
  message: string,
  changes: Partial<FormState> = {},
): SubmissionResult {
  const context = readingContext(profile, now, state.metadata)
  const notes = notesInView(form, view, { ...context, bot, project_id: state.project?.Id })
  return replaceWithView(formView(form, { ...state, message, notes, ...changes }))
}

/** Replaces the submitted view with another one. */
export const replaceWithView = (view: ModalView): SubmissionResult => ({
  response: { response_action: 'update', view },
})

/** The file that must be uploaded before the form can be sent. */
export const fileToUpload = ({ upload }: Form, body: Record<string, unknown>): SlackFile | undefined =>
  upload && (body[upload.file] as SlackFile | undefined)

/** Shows a general error under the first input. Used if the form can't be built again. */
export const showError = ({ view }: Pick<Submission, 'view'>, message: string): SubmissionResult => ({
  response: { response_action: 'errors', errors: { [firstInputBlockId(view)]: message } },
})

export function showFieldErrors(submission: AuthorizedSubmission, details: FieldError[]): SubmissionResult {
  const { form, view } = submission
  const placement = placeErrors(form, details)
  // Slack rejects the whole response if one of the errors belongs to a field that isn't in the form.
  const isVisible = ([name]: [string, string]) => view.blocks.some(({ block_id }) => block_id === name)
  const entries = Object.entries(placement.errors)
  const hidden = entries.filter((entry) => !isVisible(entry))
  const errors = Object.fromEntries(entries.filter(isVisible))
  const hiddenMessages = hidden.map(([name, message]) => `${form.fields[name]?.label ?? name}: ${message}`)
  const unplaced = [...placement.unplaced, ...hiddenMessages]
  const [firstBlock] = Object.keys(errors)
  // A confirmation has no fields, so the form is shown again with the errors.
  if (submission.confirmedWarnings !== undefined) {
    const others = Object.keys(errors).filter((name) => !(name in form.fields))
    const messages = [...others.map((name) => errors[name]), ...unplaced]
    return reopenWithMessage(submission, escapeText(messages.join('\n')), { errors })
  }
  if (!firstBlock) return reopenWithMessage(submission, escapeText(unplaced.join('\n')))
  // Slack takes either errors under fields or a new view, so other messages join the first error.
  errors[firstBlock] = joinMessages([errors[firstBlock] ?? '', ...unplaced])
  return { response: { response_action: 'errors', errors } }
}
