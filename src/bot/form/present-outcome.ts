import { INPUT_KEPT, reportFailure } from '../errors.ts'
import { context, section } from '../message-blocks.ts'
import type { Announcement } from '../notify.ts'
import { saveUserSettings } from '../people/user-settings-store.ts'
import type { Form, SuccessContext } from './form.ts'
import { wantsChannelNotified } from './form-state.ts'
import { messageView } from './form-view.ts'
import type { Outcome } from './outcome.ts'
import {
  reopenWithMessage,
  type SubmissionResult,
  showFieldErrors,
  type ValidSubmission,
} from './submission.ts'

export function presentOutcome(submission: ValidSubmission, outcome: Outcome): SubmissionResult {
  const { form, bot, actor, view, profile, now, project } = submission
  switch (outcome.kind) {
    case 'done': {
      if (outcome.isRepeat) return { response: undefined }
      const { record } = outcome
      const success = { zone: profile.zone, now, project }
      const postedBy = wantsChannelNotified(view) ? actor.user_id : undefined
      return {
        response: undefined,
        announcement: buildAnnouncement(form, record, success, { postedBy }),
        async remember() {
          await saveUserSettings(bot.db, actor, { project_id: project.Id })
          await form.remember?.(record, { bot, actor, project })
        },
      }
    }
    case 'refused': {
      const { reason } = outcome
      if (reason.kind === 'conflict') return reopenWithMessage(submission, reason.message)
      if (reason.kind === 'invalid' && reason.details.length)
        return showFieldErrors(submission, reason.details)
      const failureContext = { user_id: actor.user_id, profile, reassurance: INPUT_KEPT }
      return reopenWithMessage(submission, reportFailure(bot, failureContext, reason))
    }
    case 'pending':
      return { response: { response_action: 'update', view: savedView(submission, outcome.reason) } }
  }
}

type PendingReason = Extract<Outcome, { kind: 'pending' }>['reason']

/** Replaces the form: there is nothing more to enter. */
const savedView = (submission: ValidSubmission, reason: PendingReason) =>
  messageView(
    submission.form.title,
    section(`:hourglass: *Saved.* ${explainPending(submission, reason)}`),
    context("You'll get a message when it's done. `/upnext outbox` shows everything that's on its way."),
  )

function explainPending({ bot, actor, profile }: ValidSubmission, reason: PendingReason): string {
  if (reason.kind === 'queued') return 'It will be sent right after your earlier items.'
  if (reason.kind === 'repeated') return "It's already on its way."
  const reassurance = "We'll keep trying and message you. We check before we resend."
  return reportFailure(bot, { user_id: actor.user_id, profile, reassurance, isHandled: true }, reason)
}

/** The message for the user and, if a user posts it in their channel, the one for everyone. */
export function buildAnnouncement(
  form: Form,
  record: unknown,
  success: SuccessContext,
  { postedBy }: { postedBy: string | undefined },
): Announcement {
  const channelReply = form.successReply(record, { ...success, isChannel: true })
  const blocks = [...(channelReply.blocks ?? []), context(`By <@${postedBy}>`)]
  return {
    reply: form.successReply(record, success),
    channelReply: postedBy ? { ...channelReply, blocks } : undefined,
    nextActions: form.nextActions(record, success.project),
  }
}
