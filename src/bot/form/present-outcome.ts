import { INPUT_KEPT, reportFailure } from '../errors.ts'
import { context, escapeText, section } from '../message-blocks.ts'
import type { Announcement } from '../notify.ts'
import type { Form, SuccessContext } from './form.ts'
import { messageView } from './form-view.ts'
import type { DeliveryOutcome } from './outcome.ts'
import {
  reopenWithMessage,
  type SubmissionResult,
  showFieldErrors,
  type ValidSubmission,
} from './submission.ts'

const RETRIES_FOLLOW = "We'll keep trying and message you. We check before we resend."

export function presentOutcome(submission: ValidSubmission, outcome: DeliveryOutcome): SubmissionResult {
  switch (outcome.kind) {
    case 'done':
      return presentSuccess(submission, outcome.result)
    case 'refused': {
      const { reason } = outcome
      if (reason.kind === 'conflict') {
        const { openedPost = submission.openedPost } = reason
        const metadata = { ...submission.state.metadata, openedPost }
        const advice = reason.openedPost ? ' Press the button again to replace their changes.' : ''
        return reopenWithMessage(submission, escapeText(reason.message) + advice, { metadata })
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
    case 'queued':
      return showSaved(submission, 'It will be sent right after your earlier items.')
    // The user is told in a direct message.
    case 'uploading':
      return { response: undefined }
    case 'in progress':
      return showSaved(submission, "It's already on its way.")
    case 'repeated':
      return { response: undefined }
  }
}

function presentSuccess(submission: ValidSubmission, result: unknown): SubmissionResult {
  const { form, bot, actor, state, profile, now, project } = submission
  const postedBy = state.notifyChannel ? actor.user_id : undefined
  return {
    response: undefined,
    announcement: buildAnnouncement(form, result, { bot, zone: profile.zone, now, project, postedBy }),
    async remember() {
      await form.remember?.(result, submission)
    },
  }
}

/** Replaces the form: there is nothing more to enter. */
function showSaved({ form }: ValidSubmission, explanation: string): SubmissionResult {
  const view = messageView(
    form.title,
    section(`:hourglass: *Saved.* ${explanation}`),
    context("You'll get a message when it's done. `/upnext outbox` shows everything that's on its way."),
  )
  return { response: { response_action: 'update', view } }
}

/** The message for the user and, if a user posts it in their channel, the one for everyone. */
export function buildAnnouncement(form: Form, result: unknown, success: SuccessContext): Announcement {
  const { project, postedBy } = success
  const reply = form.successReply(result, success)
  const nextActions = form.nextActions(result, project)
  const post = form.postOf?.(result)
  const subject = post && { project, post }
  if (!postedBy) return { reply, nextActions, subject }
  const channelReply = form.successReply(result, { ...success, isChannel: true })
  const blocks = [...(channelReply.blocks ?? []), context(`By <@${postedBy}>`)]
  return { reply, nextActions, subject, channelReply: { ...channelReply, blocks } }
}
