import type { PostBody } from '../../../api/records.ts'
import { dateField } from '../../forms/fields.ts'
import type { SendContext, Warning, WarningContext } from '../../forms/form.ts'
import { defineForm } from '../../forms/open-form.ts'
import { type Outcome, refuseField, refuseWithMessage, toOutcome } from '../../forms/outcome.ts'
import type { Request } from '../../slack/feature.ts'
import { accessForModal, WRITE_ACCESS } from '../../slack/permissions.ts'
import { previousTimeBlocks, toMovedBody, UNDO_ACTION, undoMove } from './change/move-post.ts'
import { announceSavedPost, type SavedPost, saveChanges } from './change/save-changes.ts'
import type { OpenedPost, PostReference } from './display/post-reference.ts'
import { savedPostReply } from './display/post-reply.ts'
import { loadPostForForm, openPostForm, postAction, withChosenPost } from './find/post-actions.ts'
import { readChangeablePost } from './find/read-post.ts'
import { scheduleToWords } from './form/post-form.ts'
import { findPostProblems } from './form/post-problems.ts'
import { findConflictWarnings, findPostWarnings, findShortNoticeWarnings } from './form/post-warnings.ts'
import { rememberMessage } from './messages/remember-message.ts'
import { SLOT_COMPLETION } from './slots/free-slots.ts'

type NewSchedule = Pick<PostBody, 'ScheduleDate' | 'Timezone'>

const TITLE = 'Reschedule a post'

export const reschedulePost = defineForm<NewSchedule, SavedPost, OpenedPost>({
  verb: 'reschedule',
  synonym: 'move',
  usage: '[words or a date]',
  help: 'Move a post to another time, or schedule a draft.',
  title: TITLE,
  submitLabel: (_values, opened) => (opened?.Status === 'DRAFT' ? 'Schedule' : 'Move'),
  permission: 'write',
  canNotifyChannel: true,
  run: withChosenPost('Which post do you want to reschedule?', openRescheduleForm),
  actions: {
    'reschedule:ask': postAction(accessForModal('write', TITLE), openRescheduleForm),
    [UNDO_ACTION]: { access: WRITE_ACCESS, run: undoMove },
  },
  fields: {
    ScheduleDate: {
      ...dateField('When', 'In your own words: "tomorrow 9am", "friday 17:30 Berlin".'),
      completion: SLOT_COMPLETION,
    },
  },
  findWarnings,
  send: reschedule,
  successReply: (saved, context) =>
    savedPostReply('Rescheduled in', saved.post, context, ...previousTimeBlocks(saved, context)),
  followUp: announceSavedPost,
  onPosted: ({ post }, context) => rememberMessage(post, context),
})

async function openRescheduleForm(request: Request, reference: PostReference): Promise<void> {
  const found = await loadPostForForm(request, reference)
  const values = { ScheduleDate: found && scheduleToWords(found.post) }
  if (found) await openPostForm(reschedulePost, request, { reference, found, values })
}

/** A draft is about to be scheduled, so all of it is checked. For other posts, only the new time matters. */
async function findWarnings(schedule: NewSchedule, context: WarningContext<OpenedPost>): Promise<Warning[]> {
  const { bot, actor, opened, deadline } = context
  const isDraft = opened.Status === 'DRAFT'
  const current = await readChangeablePost({ bot, team_id: actor.team_id }, opened, { deadline })
  const shortNoticeWarnings = findShortNoticeWarnings(schedule, context)
  if (current.kind !== 'ok')
    return [...shortNoticeWarnings, ...(isDraft && current.kind === 'failed' ? [UNCHECKED] : [])]
  const body = toMovedBody(current.data.post, opened, schedule)
  return isDraft
    ? findPostWarnings(body, context)
    : [...shortNoticeWarnings, ...(await findConflictWarnings(body, context))]
}

const UNCHECKED = {
  id: 'unchecked',
  message: "This draft couldn't be checked in time. It may be unfinished.",
}

/** Changes nothing but the time. A draft becomes a scheduled post. */
async function reschedule(
  schedule: NewSchedule,
  context: SendContext<OpenedPost>,
): Promise<Outcome<SavedPost>> {
  const { bot, actor, opened, deadline } = context
  if (!schedule.ScheduleDate) return refuseField('ScheduleDate', 'Enter a time.')
  const current = await readChangeablePost({ bot, team_id: actor.team_id }, opened, { deadline })
  if (current.kind === 'failed') return toOutcome<SavedPost>(current.failure)
  if (current.kind === 'too late') return refuseWithMessage(current.message)
  if (current.kind !== 'ok') return refuseWithMessage('This post no longer exists.')
  const body = toMovedBody(current.data.post, opened, schedule)
  const errors = findPostProblems(body, { now: bot.runtime.now() })
  if (errors.ScheduleDate) return refuseField('ScheduleDate', errors.ScheduleDate)
  const problem = Object.values(errors).filter(Boolean).join(' ')
  if (problem) return refuseWithMessage(`${problem} Use Edit to change the rest of the post.`)
  return saveChanges(body, context)
}
