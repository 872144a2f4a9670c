import type { ViewOutput } from '@slack/bolt'
import type { KnownBlock, ModalView } from '@slack/types'
import { shortHash } from '../database/short-hash.ts'
import { escapeText, mentionUser, plainText, section } from '../slack/message-blocks.ts'
import type { FieldNote } from './field.ts'
import { notesInView } from './field-messages.ts'
import type { Warning } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import { readingContext } from './form-state.ts'
import { shownReadings } from './form-view.ts'
import { saveSubmittedForm } from './open-form-store.ts'
import { findShownTimes, withShownTimes } from './shown-times.ts'
import type { SubmissionResult, ValidSubmission } from './submission.ts'
import { toInputColumns } from './unfinished-form.ts'

export const CONFIRMATION_PREFIX = 'confirm:'

/** Stored in the private_metadata of a confirmation. */
type ConfirmationMetadata = {
  form_view_id: string
  /** When the user was asked, in milliseconds. */
  asked_at: number
  /** Identifies the warnings that the user sees. */
  warnings: string | undefined
}

type Question = {
  warnings: Warning[]
  /** The button that sends the form. At most 24 characters. */
  submitLabel: string
  /** The `action_ts` of a change that isn't in the submission. */
  missingChange?: string | undefined
  /** Changes to the form, which take effect if the user confirms. */
  metadata?: Pick<FormMetadata, 'opened' | 'overridden'>
}

/** Opens a view above the form. Its button sends the form as it was submitted. Closing the view leads back to the form. */
export async function askToConfirm(
  submission: ValidSubmission,
  { warnings, submitLabel, missingChange, metadata }: Question,
): Promise<SubmissionResult> {
  const { form, bot, actor, view, typedView, state, profile, now, confirmedWarnings } = submission
  const reading = readingContext(profile, now, { ...state.metadata, ...metadata })
  const shownView = withShownTimes(form, view, state.metadata)
  const notes = notesInView(form, shownView, { ...reading, bot, project_id: state.project?.Id })
  // The time that the user sees here is the one that counts. When they confirm, "in 2 hours" would mean a later time.
  const shown = {
    ...shownReadings(notes, form, state.values),
    ...findShownTimes(form, view, state.metadata),
  }
  const { team_id, user_id } = actor
  await saveSubmittedForm(bot.db, {
    view_id: view.id,
    team_id,
    user_id,
    ...toInputColumns(form, state, view),
    saved_at: now,
    submitted_view: {
      ...typedView,
      private_metadata: JSON.stringify({
        ...state.metadata,
        ...metadata,
        ...(missingChange && { changed_ts: missingChange }),
        shown,
      } satisfies FormMetadata),
    },
  })
  const confirmation: ModalView = {
    type: 'modal',
    callback_id: CONFIRMATION_PREFIX + form.verb,
    private_metadata: JSON.stringify({
      form_view_id: view.id,
      asked_at: bot.runtime.now().getTime(),
      warnings: metadata ? confirmedWarnings : hashWarnings(warnings.filter(({ isMinor }) => !isMinor)),
    } satisfies ConfirmationMetadata),
    title: plainText(form.title),
    submit: plainText(submitLabel),
    close: plainText('Back'),
    blocks: [
      ...warnings.map(({ message }) => section(`:warning: ${message}`)),
      ...(missingChange ? [section(MISSING_CHANGE_MESSAGE)] : []),
      ...describeSubmission(submission, notes),
      ...(missingChange ? [section(describeTarget(submission))] : []),
    ],
  }
  return { response: { response_action: 'push', view: confirmation } }
}

const MISSING_CHANGE_MESSAGE =
  ":warning: Your last change wasn't in the form yet when you submitted it. Go back to check the form, or send it as it is here:"

/** Begins each warning that the user has confirmed. */
export const CONFIRMED_WARNING_PREFIX = 'You confirmed this warning: '

/** Hashes the ids, because the messages change with time, and because the ids can be too long for private_metadata. */
export const hashWarnings = (warnings: Warning[]): string | undefined =>
  warnings.length ? shortHash(warnings.map(({ id }) => id).join(' ')) : undefined

/** Blocks that summarize the body, and show how words such as dates are read. */
function describeSubmission({ form, body }: ValidSubmission, notes: Record<string, FieldNote>): KnownBlock[] {
  const summary = form.summarize?.(body)
  const readings = Object.entries(form.fields).flatMap(([name, { label, picker }]) => {
    const { message } = notes[name] ?? {}
    return picker && message ? [`*${label}*: ${escapeText(message)}`] : []
  })
  return [...(summary ? [summary] : []), ...readings].map(section)
}

/** The project, and the record that is changed. Their menus may not have updated the form yet. */
function describeTarget({ form: { recordSelect }, project, state: { record } }: ValidSubmission): string {
  // Members of the workspace have only an id here.
  const name =
    record && (record.label === record.value ? mentionUser(record.value) : escapeText(record.label))
  return [
    ...(recordSelect && name ? [`*${recordSelect.label}*: ${name}`] : []),
    `*Project*: ${escapeText(project.Name)}`,
  ].join('\n')
}

export const readConfirmation = ({ private_metadata }: ViewOutput): ConfirmationMetadata =>
  JSON.parse(private_metadata)
