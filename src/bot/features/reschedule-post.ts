import type { PostBody } from '../../api/records.ts'
import type { Feature, Request } from '../feature.ts'
import { dateField } from '../form/fields.ts'
import type { SendContext, Warning, WarningContext } from '../form/form.ts'
import { defineForm, openForm } from '../form/open-form.ts'
import { type Outcome, refuseWithMessage, toOutcome } from '../form/outcome.ts'
import { accessForModal, WRITE_ACCESS } from '../permissions.ts'
import { readPost } from '../posts/change-post.ts'
import { choosePost } from '../posts/find-posts.ts'
import { FORM_TIMEOUT, loadPost, toOpenedPost } from '../posts/load-post.ts'
import { moveBlocks, toMovedBody, UNDO_ACTION, undoMove } from '../posts/move-post.ts'
import { quotePost } from '../posts/post-blocks.ts'
import { POST_FORM, scheduleWords } from '../posts/post-form.ts'
import { PostReference } from '../posts/post-reference.ts'
import { postReply } from '../posts/post-reply.ts'
import { findDuplicates, findPostWarnings } from '../posts/post-warnings.ts'
import { announceSaved, type SavedPost, saveChanges } from '../posts/save-changes.ts'

type NewSchedule = Pick<PostBody, 'ScheduleDate' | 'Timezone'>

const TITLE = 'Reschedule a post'

const form = defineForm<NewSchedule, SavedPost>({
  verb: 'reschedule',
  usage: '[words or a date]',
  help: 'Move a post to another time, or schedule a draft.',
  title: TITLE,
  submitLabel: (_values, openedPost) => (openedPost?.Status === 'DRAFT' ? 'Schedule' : 'Move'),
  permission: 'write',
  canNotifyChannel: true,
  fields: { ScheduleDate: dateField('When', 'In your own words: "tomorrow 9am", "friday 17:30 Berlin".') },
  findWarnings,
  send: reschedule,
  successReply: (saved, context) =>
    postReply('Rescheduled in', saved.post, context, ...moveBlocks(saved, context)),
  remember: announceSaved,
  postOf: ({ post }) => post,
  nextActions: (_post, { Id }) => [{ action_id: 'next:show', label: 'See next post', value: Id }],
})

export const reschedulePost: Feature & typeof form = {
  ...form,
  run: async (request) => {
    const reference = await choosePost(request, 'Which post do you want to reschedule?')
    if (reference) await openPost(request, reference)
  },
  actions: {
    'reschedule:ask': {
      access: accessForModal('write', TITLE),
      run: (request) => openPost(request, PostReference.parse(JSON.parse(request.text))),
    },
    [UNDO_ACTION]: { access: WRITE_ACCESS, run: undoMove },
  },
}

async function openPost(request: Request, reference: PostReference): Promise<void> {
  const found = await loadPost(request, reference, FORM_TIMEOUT)
  if (!found) return
  const { post } = found
  const draft = {
    values: { ScheduleDate: scheduleWords(post) },
    openedPost: toOpenedPost(request, reference, found),
    about: quotePost(post),
  }
  await openForm(form, { ...request, text: '' }, { project_id: reference.project_id, draft })
}

/** A draft is checked as a whole, because it goes out now. The new time of another post can make it a duplicate. */
async function findWarnings(schedule: NewSchedule, context: WarningContext): Promise<Warning[]> {
  const { bot, actor, openedPost, deadlineMs } = context
  if (!openedPost) throw new Error('The form was opened without a post.')
  const isDraft = openedPost.Status === 'DRAFT'
  const current = await readPost({ bot, team_id: actor.team_id }, openedPost, { deadlineMs })
  if (current.kind !== 'ok') return isDraft && current.kind === 'failed' ? [UNCHECKED] : []
  const body = toMovedBody(current.data.post, openedPost, schedule)
  return isDraft ? findPostWarnings(body, context) : findDuplicates(body, context)
}

const UNCHECKED = { id: 'unchecked', message: "We couldn't check this draft in time. It may be unfinished." }

/** Changes nothing but the time. A draft becomes a scheduled post. */
async function reschedule(schedule: NewSchedule, context: SendContext): Promise<Outcome<SavedPost>> {
  const { bot, actor, openedPost, deadlineMs } = context
  if (!openedPost) throw new Error('The form was opened without a post.')
  const endsAt = bot.runtime.now().getTime() + deadlineMs
  const current = await readPost({ bot, team_id: actor.team_id }, openedPost, { deadlineMs })
  if (current.kind === 'failed') return toOutcome<SavedPost>(current.failure)
  if (current.kind === 'too late') return refuseWithMessage(current.message)
  if (current.kind !== 'ok') return refuseWithMessage('Someone else cancelled this post.')
  const body = toMovedBody(current.data.post, openedPost, schedule)
  const errors = POST_FORM.validate(body, { now: bot.runtime.now(), zone: 'UTC', locale: undefined })
  const problem = Object.values(errors).filter(Boolean).join(' ')
  if (problem) return refuseWithMessage(`${problem} Use Edit to change the rest of the post.`)
  const remainingMs = Math.max(1, endsAt - bot.runtime.now().getTime())
  return saveChanges(body, { ...context, deadlineMs: remainingMs })
}
