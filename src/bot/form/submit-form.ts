import type { ViewOutput } from '@slack/bolt'
import type { FieldError } from '../../api/result.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import { INPUT_KEPT, reportFailure } from '../errors.ts'
import { deliverThroughOutbox } from '../outbox/deliver-through-outbox.ts'
import { authorize } from '../permissions.ts'
import { chooseProject } from '../projects/projects.ts'
import { deliverDirectly } from './deliver-directly.ts'
import type { Form } from './form.ts'
import { RECORD_BLOCK } from './form-blocks.ts'
import { initialText, inputState, readMetadata, selectedProject, selectedRecord } from './form-state.ts'
import { submitLabel } from './form-view.ts'
import { presentOutcome } from './present-outcome.ts'
import {
  type AuthorizedSubmission,
  reopenWithMessage,
  type Submission,
  type SubmissionResult,
  showFieldErrors,
  type ValidSubmission,
} from './submission.ts'

/** Slack allows 3 s per submission. This is the share that everything up to the API's response may use. */
const RESPONSE_TIME_MS = 2300
/** Of that share, what the checks before sending may use. */
const WARNING_TIME_MS = 700

/** A submission passes these steps in order. Each step but the last may end it with a response of its own. */
export async function submitForm(
  form: Form,
  bot: Bot,
  actor: Actor,
  view: ViewOutput,
): Promise<SubmissionResult> {
  const submission = readSubmission(form, bot, actor, view)
  const authorized = await authorizeSubmission(submission)
  if ('response' in authorized) return authorized
  const valid = await validate(authorized)
  if ('response' in valid) return valid
  const warnings = await confirmWarnings(valid)
  if (warnings) return warnings
  const outcome = await (form.creation ? deliverThroughOutbox(valid) : deliverDirectly(valid))
  return presentOutcome(valid, outcome)
}

function readSubmission(form: Form, bot: Bot, actor: Actor, view: ViewOutput): Submission {
  const now = bot.runtime.now()
  const remainingMs = () => {
    const usedMs = bot.runtime.now().getTime() - now.getTime()
    return Math.max(1, RESPONSE_TIME_MS - usedMs)
  }
  return { form, bot, actor, view, metadata: readMetadata(view), now, remainingMs }
}

async function authorizeSubmission(submission: Submission): Promise<AuthorizedSubmission | SubmissionResult> {
  const { bot, actor, form } = submission
  const { profile, refusal } = await authorize(bot, actor, { permission: form.permission, isFresh: true })
  const authorized = { ...submission, profile }
  return refusal ? reopenWithMessage(authorized, refusal) : authorized
}

async function validate(submission: AuthorizedSubmission): Promise<ValidSubmission | SubmissionResult> {
  const project = selectedProject(submission.view)
  if (!project) return offerProjects(submission)
  const { body, fieldErrors } = readBody(submission)
  return fieldErrors.length ? showFieldErrors(submission, fieldErrors) : { ...submission, project, body }
}

/** The form was opened while the projects could not be loaded. The user keeps what they typed. */
async function offerProjects(submission: AuthorizedSubmission): Promise<SubmissionResult> {
  const { bot, actor, profile, metadata, remainingMs } = submission
  const inChannel = { ...actor, channel_id: metadata.channel }
  const choice = await chooseProject(bot, inChannel, { deadlineMs: remainingMs() })
  if (choice.kind === 'failed') {
    const context = { user_id: actor.user_id, profile, reassurance: INPUT_KEPT, isRead: true }
    return reopenWithMessage(submission, reportFailure(bot, context, choice.failure), {
      projectsFailed: true,
    })
  }
  if (choice.kind === 'undecided')
    return reopenWithMessage(submission, 'Pick a project first.', { projects: choice.projects })
  const { projects, project } = choice
  return reopenWithMessage(submission, 'The projects are loaded now. Check the project and submit again.', {
    projects,
    project,
  })
}

/** Reads the request body from the inputs. Unreadable inputs and failed checks become errors. */
function readBody({ form, view, profile, now }: AuthorizedSubmission) {
  const context = { profile, now }
  const body: Record<string, unknown> = {}
  const unreadable: Record<string, unknown> = {}
  const fieldErrors: FieldError[] = []
  if (form.recordSelect?.search && !selectedRecord(view))
    fieldErrors.push({ loc: [RECORD_BLOCK], msg: 'Pick one.' })
  for (const [name, field] of Object.entries(form.fields)) {
    const input = inputState(view, name)
    const reading = field.read(input, context)
    if (reading && 'error' in reading) {
      fieldErrors.push({ loc: [name], msg: reading.error })
      unreadable[name] = input.value
    } else if (reading) {
      for (const [index, key] of [name, ...field.alsoSets].entries()) body[key] = reading.values[index]
    } else if (form.recordSelect?.search && field.clearedValue !== undefined && initialText(view, name)) {
      body[name] = field.clearedValue
    }
  }
  const checks = form.validate?.({ ...unreadable, ...body }, context) ?? {}
  for (const [name, msg] of Object.entries(checks)) {
    const hasOwnError = fieldErrors.some(({ loc }) => loc[0] === name)
    if (msg && !hasOwnError) fieldErrors.push({ loc: [name], msg })
  }
  return { body, fieldErrors }
}

/** The ids of confirmed warnings share the 3,000 characters of private_metadata with the rest. */
const MAX_CONFIRMED_LENGTH = 2000

/** Shows each warning once. Submitting again confirms it. */
async function confirmWarnings(submission: ValidSubmission): Promise<SubmissionResult | undefined> {
  const { form, bot, profile, now, metadata, project, body, remainingMs } = submission
  const warnings = await form.findWarnings?.(body, {
    api: bot.api,
    project,
    viewer: { zone: profile.zone, now },
    deadlineMs: Math.min(WARNING_TIME_MS, remainingMs()),
  })
  if (!warnings?.length) return undefined
  const ids = warnings
    .map(({ id }) => id)
    .join(' ')
    .slice(0, MAX_CONFIRMED_LENGTH)
  if (ids === metadata.confirmedWarnings) return undefined
  const messages = warnings.map(({ message }) => message).join(' ')
  const message = `${messages} Press ${submitLabel(form, {})} again to post it anyway.`
  return reopenWithMessage(submission, message, { metadata: { ...metadata, confirmedWarnings: ids } })
}
