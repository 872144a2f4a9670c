import { z } from 'zod'
import { firstValue } from '../../forms/fields.ts'
import type { SendContext } from '../../forms/form.ts'
import { inputState, readFormState } from '../../forms/form-state.ts'
import type { FormValues } from '../../forms/form-value.ts'
import { FORM_PREFIX } from '../../forms/form-view.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { type Outcome, refuseField } from '../../forms/outcome.ts'
import { removeItem } from '../../outbox/user-items-store.ts'
import type { Request } from '../../slack/feature.ts'
import { textReply } from '../../slack/message-blocks.ts'
import { accessForModal } from '../../slack/permissions.ts'
import { readSlackFile } from '../../slack/slack-file.ts'
import { describeChanges, findUnseenChanges } from './change/held-changes.ts'
import { previousTimeBlocks } from './change/move-post.ts'
import { announceSavedPost, type SavedPost, saveChanges } from './change/save-changes.ts'
import type { OpenedPost, PostReference } from './display/post-reference.ts'
import { savedPostReply } from './display/post-reply.ts'
import { HELD, SERVICE_STATE_CHOICES } from './display/post-states.ts'
import { toOpenedPost } from './find/load-post.ts'
import { loadPostForForm, postAction, withChosenPost } from './find/post-actions.ts'
import { POST_FORM, toFormValues, unavailableStates } from './form/post-form.ts'
import {
  DELETED_UPLOAD,
  isDeletedUpload,
  type PostInput,
  rememberUpload,
  toPostBody,
} from './form/post-input.ts'
import { rememberMessage } from './messages/remember-message.ts'
import { schedulePost } from './schedule-post.ts'

const TITLE = 'Edit a post'

const access = accessForModal('write', TITLE)

export const editPost = defineForm<PostInput, SavedPost, OpenedPost>({
  ...POST_FORM,
  verb: 'edit',
  usage: '[words or a date]',
  help: 'Edit a scheduled post or a draft.',
  title: TITLE,
  submitLabel: 'Save',
  permission: 'write',
  canNotifyChannel: true,
  // A held post can only stay held, and a post that is already in the service can't become a held post.
  unavailableOptions: (user, { values, opened }) =>
    unavailableStates(user, values, opened.is_held ? SERVICE_STATE_CHOICES : [HELD]),
  run: withChosenPost('Which post do you want to edit?', openEditForm),
  actions: {
    'edit:ask': postAction(access, openEditForm),
    'edit:duplicate': postAction(access, duplicate),
  },
  send: sendChanges,
  successReply: (saved, context) =>
    savedPostReply('Saved the changes in', saved.post, context, ...previousTimeBlocks(saved, context)),
  followUp: announceSavedPost,
  onPosted: ({ post }, context) => rememberMessage(post, context),
  extraActions: ({ opened, channel }) =>
    opened
      ? [{ action_id: 'edit:duplicate', label: 'Duplicate', value: JSON.stringify({ ...opened, channel }) }]
      : [],
})

async function sendChanges(input: PostInput, context: SendContext<OpenedPost>): Promise<Outcome<SavedPost>> {
  const { bot, actor, replaces } = context
  if (await isDeletedUpload(bot, actor.team_id, input.Media)) return refuseField('Media', DELETED_UPLOAD)
  const outcome = await saveChanges(toPostBody(bot, input), context)
  // An approved change is sent without `AltText`, so the description of a new file is saved while the change waits.
  const isNewFileWaiting = outcome.kind === 'waiting' && input.Media !== context.opened.Media
  if (isNewFileWaiting || (outcome.kind === 'done' && !context.wasHeld))
    // A plan has no column for descriptions.
    await rememberUpload(bot, actor, input, context.batch_id ? undefined : context.opened)
  // This edit replaces an earlier one that couldn't be sent.
  if ((outcome.kind === 'done' || outcome.kind === 'waiting') && replaces)
    await removeItem(bot.db, { ...actor, id: replaces })
  return outcome
}

/** Opens the form for a post. `change` may replace the post's values. */
export async function openEditForm(
  request: Request,
  reference: PostReference,
  change = (values: FormValues): FormValues => values,
): Promise<void> {
  const found = await loadPostForForm(request, reference)
  if (!found) return
  const values = change(toFormValues(found.post))
  const [tooLongField] = Object.entries(POST_FORM.fields).filter(
    ([name, { maxLength = Number.POSITIVE_INFINITY }]) => (firstValue(values[name]) ?? '').length > maxLength,
  )
  // The form can't hold all of this text, so saving it would cut the end off.
  if (tooLongField)
    return request.reply(textReply(`*${tooLongField[1].label}* is too long to edit in Slack.`))
  const waiting = await findUnseenChanges(request.bot.db, request.actor.team_id, reference)
  const waiting_changes = waiting.length ? { waiting_changes: waiting.map(({ id }) => id) } : {}
  const opened = { ...toOpenedPost(request, reference, found), ...waiting_changes }
  const messages = waiting.length
    ? [`${describeChanges(waiting, found.post)} Saving replaces ${waiting.length > 1 ? 'them' : 'it'}.`]
    : []
  const draft = { values, opened, messages }
  await openForm(editPost, request, { project_id: reference.project_id, draft })
}

/** A form knows in which channel it was opened, but a press in a form doesn't. */
const DuplicateValue = z.object({ channel: z.string().optional() })

/** Opens the form for a new post with the content of an existing one, or of the form that changes it, but not its time. */
async function duplicate(pressed: Request, reference: PostReference): Promise<void> {
  const { channel } = DuplicateValue.parse(JSON.parse(pressed.text))
  const { actor } = pressed
  const request = { ...pressed, actor: { ...actor, channel_id: actor.channel_id ?? channel } }
  const found = await loadPostForForm(request, reference, { mayBePublished: true })
  if (!found) return
  // The menu of a post in a calendar has the same button.
  const form = pressed.modal?.callback_id === FORM_PREFIX + editPost.verb ? pressed.modal : undefined
  const entered = form && readFormState(editPost, form).values
  const copied = { ...toFormValues(found.post), ...entered, ScheduleDate: undefined, Status: 'SCHEDULED' }
  const values = { ...copied, ...(await schedulePost.loadDefaults?.(request, copied)) }
  const file = readSlackFile(form && inputState(form, 'MediaFile').files?.[0])
  await openForm(schedulePost, request, { project_id: reference.project_id, draft: { values, file } })
}
