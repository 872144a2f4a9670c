import type { Post, PostBody } from '../../api/records.ts'
import { replyWithFailure } from '../errors.ts'
import type { Feature, Request } from '../feature.ts'
import { firstValue } from '../form/fields.ts'
import { defineForm, openForm } from '../form/open-form.ts'
import { escapeText, section, textReply } from '../message-blocks.ts'
import { accessForModal } from '../permissions.ts'
import { readPost, viewPost } from '../posts/change-post.ts'
import { choosePost } from '../posts/find-posts.ts'
import { formatSchedule, platformNames, postBlocks } from '../posts/post-blocks.ts'
import { POST_FORM, postFormValues } from '../posts/post-form.ts'
import { postMenu } from '../posts/post-menu.ts'
import { HELD, PostReference } from '../posts/post-reference.ts'
import { announceSaved, saveChanges } from '../posts/save-changes.ts'
import { schedulePost } from './schedule-post.ts'

const TITLE = 'Edit a post'

const form = defineForm<PostBody, Post>({
  ...POST_FORM,
  verb: 'edit',
  usage: '[words or a date]',
  help: 'Edit a scheduled post or a draft.',
  title: TITLE,
  submitLabel: 'Save',
  permission: 'write',
  canNotifyChannel: true,
  // A held post isn't a draft of the service, and a post of the service can't come back.
  unavailableOptions: (_bot, openedPost) => (openedPost?.is_held ? ['SCHEDULED', 'DRAFT'] : [HELD]),
  send: (body, context) => saveChanges(body, context),
  successReply: (post, context) => {
    const { bot, project } = context
    const title = `Saved the changes in ${escapeText(project.Name)}`
    const menu = postMenu({ bot, project_id: project.Id }, post)
    return {
      text: `${title}: ${formatSchedule(post, context)}, ${platformNames(post)}`,
      blocks: [section(`*${title}*`), ...postBlocks(post, context, { menu })],
    }
  },
  remember: announceSaved,
  postOf: (post) => post,
  nextActions: (_post, { Id }) => [{ action_id: 'next:show', label: 'See next post', value: Id }],
  extraActions: ({ openedPost }) =>
    openedPost
      ? [{ action_id: 'edit:duplicate', label: 'Duplicate', value: JSON.stringify(openedPost) }]
      : [],
})

const access = accessForModal('write', TITLE)

export const editPost: Feature & typeof form = {
  ...form,
  run: async (request) => {
    const reference = await choosePost(request, 'Which post do you want to edit?')
    if (reference) await openPost(request, reference)
  },
  actions: {
    'edit:ask': {
      access,
      run: (request) => openPost(request, PostReference.parse(JSON.parse(request.text))),
    },
    'edit:duplicate': {
      access,
      run: (request) => duplicate(request, PostReference.parse(JSON.parse(request.text))),
    },
  },
}

/** Slack waits three seconds for the form. */
const LOAD_TIMEOUT_MS = 2000

async function openPost(request: Request, reference: PostReference): Promise<void> {
  const found = await loadPost(request, reference)
  if (!found) return
  const values = postFormValues(found.post)
  const [tooLong] = Object.entries(POST_FORM.fields).filter(
    ([name, { maxLength = Number.POSITIVE_INFINITY }]) => (firstValue(values[name]) ?? '').length > maxLength,
  )
  // Saving the form would cut the rest off.
  if (tooLong)
    return request.reply(textReply(`The ${tooLong[1].label} of this post is too long to edit it in Slack.`))
  const draft = { values, openedPost: { ...reference, etag: found.etag } }
  await openForm(form, { ...request, text: '' }, { project_id: reference.project_id, draft })
}

/** Opens the form for a new post with the content of this one. Its time is left for the user to choose. */
async function duplicate(request: Request, reference: PostReference): Promise<void> {
  const found = await loadPost(request, reference, { isReadOnly: true })
  if (!found) return
  const copied = { ...postFormValues(found.post), ScheduleDate: undefined, Status: 'SCHEDULED' }
  const values = { ...copied, ...(await schedulePost.loadDefaults?.(request, copied)) }
  await openForm(
    schedulePost,
    { ...request, text: '' },
    { project_id: reference.project_id, draft: { values } },
  )
}

/** Undefined if the user has been told why there is nothing to open. */
async function loadPost(request: Request, reference: PostReference, { isReadOnly = false } = {}) {
  const { bot, actor, reply } = request
  const scope = { bot, team_id: actor.team_id }
  const read = isReadOnly ? viewPost : readPost
  const result = await read(scope, reference, { deadlineMs: LOAD_TIMEOUT_MS })
  if (result.kind === 'ok') return result.data
  if (result.kind === 'failed') await replyWithFailure(request, result.failure)
  else if (result.kind === 'too late') await reply(textReply(result.message))
  else await reply(textReply('This post no longer exists.'))
  return undefined
}
