import { INPUT_KEPT, reportFailure } from '../slack/errors.ts'
import { context, escapeText, messageView, section } from '../slack/message-blocks.ts'
import type { Announcement } from '../slack/notify.ts'
import { askToConfirm } from './confirmation.ts'
import type { Form, SuccessContext } from './form.ts'
import type { DeliveryOutcome } from './outcome.ts'
import {
  reopenWithMessage,
  replaceWithView,
  type SubmissionResult,
  showFieldErrors,
  type ValidSubmission,
} from './submission.ts'

const RETRIES_FOLLOW = 'Upnext keeps trying, and makes sure that nothing is sent twice.'

export async function presentOutcome(
  submission: ValidSubmission,
  outcome: DeliveryOutcome,
): Promise<SubmissionResult> {
  switch (outcome.kind) {
    case 'done':
      return presentSuccess(submission, outcome.result)
    case 'refused': {
      const { reason } = outcome
      if (reason.kind === 'conflict') {
        const message = escapeText(reason.message)
        if (!reason.replacement) return reopenWithMessage(submission, message)
        const { question, submitLabel, ...metadata } = reason.replacement
        const warnings = [{ id: metadata.opened.etag, message: `${message} ${question}` }]
        return askToConfirm(submission, { warnings, submitLabel, metadata })
      }
      if (reason.kind === 'invalid' && reason.details.length)
        return showFieldErrors(submission, reason.details)
      return reopenWithMessage(submission, reportFailure(submission, reason, { reassurance: INPUT_KEPT }))
    }
    case 'pending':
      return showSaved(
        submission,
        reportFailure(submission, outcome.reason, { reassurance: RETRIES_FOLLOW, willRetry: true }),
      )
    case 'waiting':
      return replaceWithView(
        messageView(
          submission.form.title,
          section(outcome.message),
          ...(submission.state.notifyChannel ? [context('Nothing is posted in the channel.')] : []),
        ),
      )
    case 'queued':
      return showSaved(submission, 'Your earlier submissions are sent first.')
    case 'split':
      return showSaved(submission, `${outcome.reason} So Upnext is sending ${outcome.count} posts.`)
    case 'unrecorded':
      return showSaved(submission, "Upnext couldn't store the result, so it checks whether this was sent.")
    case 'in progress':
      return showSaved(submission, 'This form was already submitted.')
    // The user follows the upload in a direct message, so the form just closes.
    case 'uploading':
    case 'repeated':
      return { response: undefined }
  }
}

function presentSuccess(submission: ValidSubmission, result: unknown): SubmissionResult {
  const { form, bot, actor, state, profile, now, project, resultWarnings } = submission
  const postedBy = state.notifyChannel ? actor.user_id : undefined
  const success = { bot, zone: profile.zone, now, project, postedBy }
  if (form.successView) return replaceWithView(form.successView(result, success))
  const announcement = buildAnnouncement(form, result, success)
  return {
    response: undefined,
    announcement: {
      ...announcement,
      notes: resultWarnings.map((message) => context(`:warning: ${message}`)),
    },
    metadata: state.metadata,
    async followUp() {
      await form.followUp?.(result, submission)
    },
  }
}

/** Replaces the form: there is nothing more to enter. */
function showSaved({ form }: ValidSubmission, explanation: string): SubmissionResult {
  const saved = messageView(
    form.title,
    section(`:hourglass: *Saved.* ${explanation}`),
    context("You'll get a message when it's done. `/upnext outbox` shows everything that's on its way."),
  )
  return replaceWithView(saved)
}

/** Builds the message for the user and, if the user posts it in the channel, the message for everyone. */
export function buildAnnouncement(form: Form, result: unknown, success: SuccessContext): Announcement {
  const { project, postedBy } = success
  const reply = form.successReply(result, success)
  const nextActions = form.nextActions?.(result, project) ?? []
  const onPosted = form.onPosted?.(result, success)
  if (!postedBy) return { reply, nextActions, onPosted }
  const channelReply = form.successReply(result, { ...success, isChannel: true })
  const blocks = [...(channelReply.blocks ?? []), context(`By <@${postedBy}>`)]
  return { reply, nextActions, onPosted, channelReply: { ...channelReply, blocks } }
}
