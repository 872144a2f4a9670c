import { comparePosts } from '../../api/compare-posts.ts'
import type { Post } from '../../api/records.ts'
import type { components } from '../../api/schema.d.ts'
import { isZone } from '../../api/timestamps.ts'
import { momentToWords } from '../../time/describe.ts'
import { replyWithFailure } from '../errors.ts'
import type { Feature, Request } from '../feature.ts'
import { firstValue } from '../form/fields.ts'
import type { SendContext } from '../form/form.ts'
import type { FormValues } from '../form/form-value.ts'
import { defineForm, openForm } from '../form/open-form.ts'
import { type Outcome, refuseWithMessage, toOutcome } from '../form/outcome.ts'
import { escapeText, section, textReply, truncate } from '../message-blocks.ts'
import { accessForModal } from '../permissions.ts'
import { choosePost, isPostGone } from '../posts/find-posts.ts'
import { formatSchedule, platformNames, postBlocks, postTime } from '../posts/post-blocks.ts'
import { EDIT_ACTION, PostReference } from '../posts/post-buttons.ts'
import { POST_FORM } from './schedule-post.ts'

type PostBody = components['schemas']['Post']

const TITLE = 'Edit a post'

const form = defineForm<PostBody, Post>({
  ...POST_FORM,
  verb: 'edit',
  usage: '[words or a date]',
  help: 'Edit or reschedule a scheduled post, or finish a draft.',
  title: TITLE,
  submitLabel: 'Save',
  permission: 'write',
  canNotifyChannel: true,
  send: saveChanges,
  successReply: (post, context) => {
    const title = `Saved the changes in ${escapeText(context.project.Name)}`
    return {
      text: `${title}: ${formatSchedule(post, context)}, ${platformNames(post)}`,
      blocks: [section(`*${title}*`), ...postBlocks(post, context)],
    }
  },
  nextActions: (_post, { Id }) => [{ action_id: 'next:show', label: 'See next post', value: Id }],
})

export const editPost: Feature & typeof form = {
  ...form,
  run: async (request) => {
    const reference = await choosePost(request, 'Which post do you want to edit?')
    if (reference) await openPost(request, reference)
  },
  actions: {
    [EDIT_ACTION]: {
      access: accessForModal('write', TITLE),
      run: (request) => openPost(request, PostReference.parse(JSON.parse(request.text))),
    },
  },
}

async function openPost(request: Request, reference: PostReference): Promise<void> {
  const { project_id, post_id } = reference
  const result = await request.bot.api.posts.get(project_id, post_id, { deadlineMs: LOAD_TIMEOUT_MS })
  if (isPostGone(result)) return request.reply(textReply('This post no longer exists.'))
  if (result.kind !== 'ok') return replyWithFailure(request, result)
  const { post, etag } = result.data
  if (post.Status === 'PUBLISHED') return request.reply(textReply(ALREADY_PUBLISHED))
  const values = formValues(post)
  const [tooLong] = Object.entries(POST_FORM.fields).filter(
    ([name, { maxLength = Number.POSITIVE_INFINITY }]) => (firstValue(values[name]) ?? '').length > maxLength,
  )
  // Saving the form would cut the rest off.
  if (tooLong)
    return request.reply(textReply(`The ${tooLong[1].label} of this post is too long to edit it in Slack.`))
  const draft = { values, edited: { project_id, id: post_id, etag } }
  await openForm(form, { ...request, text: '' }, { project_id, draft })
}

/** Slack waits three seconds for the form. */
const LOAD_TIMEOUT_MS = 2000

const ALREADY_PUBLISHED = "This post is already published, so it can't be changed anymore."

function formValues(post: Post): FormValues {
  const { Content, Media, TemplateId, PromptId, Platforms, Status } = post
  const at = postTime(post)
  // With its zone, the time stays the post's own, whatever the zone of the user is.
  const zone = isZone(post.Timezone) ? post.Timezone : 'UTC'
  return {
    Content,
    Media,
    TemplateId: TemplateId && { value: TemplateId, label: TemplateId },
    PromptId: PromptId && { value: PromptId, label: PromptId },
    ScheduleDate: at && `${momentToWords(at.toJSDate(), zone)} ${zone}`,
    Platforms,
    Status,
  }
}

const MAX_OTHER_LENGTH = 300

/** If someone else changed the post meanwhile, shows their version and asks again. */
async function saveChanges(body: PostBody, context: SendContext): Promise<Outcome<Post>> {
  const { bot, actor, project, edited, deadlineMs } = context
  const { request_id } = actor
  if (!edited) throw new Error('The form was opened without a post.')
  if (project.Id !== edited.project_id)
    return refuseWithMessage("Posts can't move to another project. Pick the original one.")
  const endsAt = bot.runtime.now().getTime() + deadlineMs
  const result = await bot.api.posts.update(project.Id, { post_id: edited.id, etag: edited.etag }, body, {
    deadlineMs,
    request_id,
  })
  if (result.kind === 'rejected' && result.status === 409) return refuseWithMessage(ALREADY_PUBLISHED)
  if (isPostGone(result)) return refuseWithMessage('Someone else cancelled this post.')
  if (result.kind !== 'rejected' || result.status !== 412) return toOutcome(result)
  const remainingMs = Math.max(1, endsAt - bot.runtime.now().getTime())
  const current = await bot.api.posts.get(project.Id, edited.id, { deadlineMs: remainingMs })
  if (current.kind !== 'ok') return toOutcome(result)
  const { post, etag } = current.data
  // An earlier attempt whose answer was lost has saved these changes.
  if (comparePosts(body, post) === 'same' && (post.Media ?? '') === (body.Media ?? ''))
    return { kind: 'done', result: post }
  const viewer = { zone: isZone(post.Timezone) ? post.Timezone : 'UTC', now: bot.runtime.now() }
  const other = `"${escapeText(truncate(post.Content ?? '', MAX_OTHER_LENGTH))}", ${formatSchedule(post, viewer)}, ${platformNames(post)}`
  return {
    kind: 'refused',
    reason: {
      kind: 'conflict',
      message: `Someone else changed this post. It is now: ${other}. Press Save again to overwrite their version.`,
      edited: { ...edited, etag },
    },
  }
}
