import { isDeepStrictEqual } from 'node:util'
import { addMs, msUntil } from '../../runtime.ts'
import { authorizeAction } from '../slack/authorize-action.ts'
import { INPUT_KEPT, reportFailure } from '../slack/errors.ts'
import { chooseProject } from '../slack/projects.ts'
import { completeProjectWords } from './complete-words.ts'
import { askToConfirm, CONFIRMED_WARNING_PREFIX, hashWarnings } from './confirmation.ts'
import { deliverDirectly } from './deliver-directly.ts'
import type { Field, FieldReading } from './field.ts'
import { checkFields } from './field-messages.ts'
import { RECORD_BLOCK } from './form-blocks.ts'
import {
  initialText,
  inputState,
  readFormState,
  readingContext,
  replaceInputs,
  toProjectState,
} from './form-state.ts'
import { submitLabel } from './form-view.ts'
import { closeOpenForm, findLatestChange, forgetChanges } from './open-form-store.ts'
import type { DeliveryOutcome } from './outcome.ts'
import { presentOutcome } from './present-outcome.ts'
import { isShownReading } from './shown-times.ts'
import {
  type AuthorizedSubmission,
  fileToUpload,
  reopenWithMessage,
  type Submission,
  type SubmissionResult,
  showError,
  showFieldErrors,
  type ValidSubmission,
} from './submission.ts'

/** Slack allows 3 s per submission. This is the share that everything up to the API's response may use. */
const RESPONSE_TIMEOUT_MS = 2300
/** The part of `RESPONSE_TIMEOUT_MS` for loading the user from Slack and the database. */
const AUTHORIZATION_TIMEOUT_MS = 1200
/** The part of `RESPONSE_TIMEOUT_MS` for completing words. */
const COMPLETION_TIMEOUT_MS = 700
/** The part of `RESPONSE_TIMEOUT_MS` for finding warnings. */
const WARNINGS_TIMEOUT_MS = 700

export type ReceivedForm = Pick<Submission, 'form' | 'bot' | 'actor' | 'view'> & {
  confirmedWarnings?: string
  /** Stores the submission in the outbox before it is sent. */
  deliverThroughOutbox: (submission: ValidSubmission) => Promise<DeliveryOutcome>
}

/** A submission goes through these steps in order. Each step but the last may end it with its own response. */
export async function submitForm(received: ReceivedForm): Promise<SubmissionResult> {
  const submission = readSubmission(received)
  const authorized = await authorizeSubmission(submission)
  if ('response' in authorized) return authorized
  const completed = await completeSubmittedWords(authorized)
  if ('response' in completed) return completed
  const valid = await validate(completed)
  if ('response' in valid) return valid
  const confirmed = await confirmWarnings(valid)
  if ('response' in confirmed) return confirmed
  const outcome = await (needsOutbox(confirmed)
    ? received.deliverThroughOutbox(confirmed)
    : deliverDirectly(confirmed))
  // Otherwise, the user would be asked to continue a form that they have already submitted. With a `successView`, the
  // same view may show another form.
  if (outcome.kind !== 'refused')
    await (confirmed.form.successView
      ? forgetChanges(confirmed.bot.db, confirmed.view.id)
      : closeSubmittedForm(confirmed))
  return presentOutcome(confirmed, outcome)
}

const closeSubmittedForm = ({ bot, actor, form, view, now }: ValidSubmission): Promise<unknown> =>
  closeOpenForm(bot.db, {
    view_id: view.id,
    team_id: actor.team_id,
    user_id: actor.user_id,
    saved_at: now,
  }).catch((err) => bot.log.error({ err, form: form.verb }, 'Failed to mark a submitted form as closed'))

const needsOutbox = ({ form, body }: ValidSubmission): boolean =>
  fileToUpload(form, body) !== undefined || form.creation !== undefined

function readSubmission({ form, bot, actor, view, confirmedWarnings }: ReceivedForm): Submission {
  const now = bot.runtime.now()
  const deadline = addMs(now, RESPONSE_TIMEOUT_MS)
  const state = readFormState(form, view)
  return { form, bot, actor, view, typedView: view, state, now, confirmedWarnings, deadline }
}

const deadlineWithin = ({ bot, deadline }: Submission, timeoutMs: number): Date =>
  addMs(bot.runtime.now(), Math.min(timeoutMs, msUntil(deadline, bot.runtime.now())))

async function authorizeSubmission(submission: Submission): Promise<AuthorizedSubmission | SubmissionResult> {
  const { bot, actor, form, state, now } = submission
  const access = { permission: form.permission, isFresh: true }
  const project_id = form.changesNoProject ? undefined : state.project?.Id
  const attempt = { name: form.verb, access, project_id, deadline: addMs(now, AUTHORIZATION_TIMEOUT_MS) }
  const authorization = await authorizeAction(bot, actor, attempt)
  if (authorization.kind === 'unknown' || authorization.kind === 'limited')
    return showError(submission, `${authorization.message} ${INPUT_KEPT}`)
  const authorized = { ...submission, profile: authorization.profile }
  return authorization.kind === 'allowed' ? authorized : reopenWithMessage(authorized, authorization.message)
}

/**
 * Replaces words such as "next free slot" with their current meaning. If the form showed another meaning,
 * `confirmWarnings` asks the user.
 */
async function completeSubmittedWords(
  submission: AuthorizedSubmission,
): Promise<AuthorizedSubmission | SubmissionResult> {
  const { form, bot, actor, profile, now, view, state } = submission
  const { values, problems } = await completeProjectWords(form, {
    ...readingContext(profile, now, state.metadata),
    bot,
    actor,
    values: state.values,
    project_id: state.project?.Id,
    opened: state.metadata.opened,
    deadline: deadlineWithin(submission, COMPLETION_TIMEOUT_MS),
  })
  const errors = Object.entries(problems).map(([name, msg]) => ({ loc: [name], msg }))
  if (errors.length) return showFieldErrors(submission, errors)
  const completed = replaceInputs(view, values)
  return { ...submission, view: completed, state: readFormState(form, completed) }
}

async function validate(submission: AuthorizedSubmission): Promise<ValidSubmission | SubmissionResult> {
  const { project, record, metadata } = submission.state
  if (!project) return offerProjects(submission)
  const { body, fieldErrors } = readBody(submission)
  if (fieldErrors.length) return showFieldErrors(submission, fieldErrors)
  const { replaces, opened } = metadata
  const resultWarnings = metadata.overridden ? [metadata.overridden] : []
  return { ...submission, project, body, record_id: record?.value, replaces, opened, resultWarnings }
}

/** Loads the projects if that failed when the form was opened. The user's input stays. */
async function offerProjects(submission: AuthorizedSubmission): Promise<SubmissionResult> {
  const { bot, actor, state, deadline } = submission
  const actorInChannel = { ...actor, channel_id: state.metadata.channel }
  const choice = await chooseProject(bot, actorInChannel, {
    project_id: state.metadata.opened?.project_id,
    deadline,
  })
  let message = 'The projects are loaded now. Check the project and submit again.'
  if (choice.kind === 'undecided') message = 'Pick a project first.'
  if (choice.kind === 'failed')
    message = reportFailure(submission, choice.failure, { reassurance: INPUT_KEPT, isReadOnly: true })
  return reopenWithMessage(submission, message, toProjectState(choice, state.metadata))
}

/** Reads the request body from the inputs. */
function readBody({ form, view, state, profile, now }: AuthorizedSubmission) {
  const context = readingContext(profile, now, state.metadata)
  const isEdit = Boolean(form.recordSelect?.search)
  const inputOf = (name: string) => inputState(view, name)
  const readField = (name: string, field: Field<unknown>): FieldReading<unknown> | undefined => {
    const input = inputOf(name)
    const shown = state.metadata.shown?.[name]
    // The time shown in the note counts, because "in 2 hours" would now mean a later time.
    if (shown && isShownReading(shown, input.value?.trim())) return { values: shown.values as [string] }
    // After a failed attempt, the form has been rebuilt without the text that it had filled in.
    const hadText = initialText(view, name) || state.metadata.filledHashes?.[name]
    const isCleared = isEdit && field.clearedValue !== undefined && hadText
    return field.read(input, context) ?? (isCleared ? { values: [field.clearedValue] } : undefined)
  }
  const { body, fieldErrors } = checkFields(form, inputOf, context, readField)
  const { record, metadata } = state
  const showsOther = record && metadata.filledFrom && metadata.filledFrom !== record.value
  if (isEdit && !record) fieldErrors.unshift({ loc: [RECORD_BLOCK], msg: 'Pick one.' })
  if (showsOther) fieldErrors.unshift({ loc: [RECORD_BLOCK], msg: SHOWS_OTHER_RECORD })
  return { body, fieldErrors }
}

const SHOWS_OTHER_RECORD =
  "The form still shows the values of your previous choice. If they don't change, close the form and open it again."

/** Whether words such as a date are now read differently than in the form's last note. */
function hasUnseenReading({ form, view, state, body }: ValidSubmission): boolean {
  return Object.entries(form.fields).some(([name, { picker, alsoSets = [] }]) => {
    const text = inputState(view, name).value?.trim()
    if (!picker || !text) return false
    const shown = state.metadata.shown?.[name]
    if (shown?.isNow && shown.text === text) return false
    const values = [name, ...alsoSets].map((key) => body[key])
    return !isDeepStrictEqual(shown?.values, values)
  })
}

/**
 * Asks the user to confirm warnings, dates that are now read differently than the form last showed, and a submission that
 * lacks the user's last change because the form wasn't updated yet.
 */
async function confirmWarnings(submission: ValidSubmission): Promise<ValidSubmission | SubmissionResult> {
  const { form, bot, view, profile, now, state, body, confirmedWarnings } = submission
  const viewer = { zone: profile.zone, now }
  const deadline = deadlineWithin(submission, WARNINGS_TIMEOUT_MS)
  const warnings = (await form.findWarnings?.(body, { ...submission, viewer, deadline })) ?? []
  const label = submitLabel(form, state)
  const majorWarnings = warnings.filter(({ isMinor = false }) => !isMinor)
  const hasUnseenWarning = majorWarnings.length > 0 && hashWarnings(majorWarnings) !== confirmedWarnings
  const changed_ts = await findLatestChange(bot.db, view.id)
  const isMissing = changed_ts !== undefined && changed_ts > (state.metadata.changed_ts ?? '')
  const missingChange = isMissing ? changed_ts : undefined
  const question = { warnings, missingChange }
  if (hasUnseenWarning) return askToConfirm(submission, { ...question, submitLabel: `${label} anyway` })
  if (missingChange || hasUnseenReading(submission))
    return askToConfirm(submission, { ...question, submitLabel: label })
  const messages = warnings.map(({ message, isMinor = false }) =>
    isMinor ? message : `${CONFIRMED_WARNING_PREFIX}${message}`,
  )
  return { ...submission, resultWarnings: [...submission.resultWarnings, ...messages] }
}
