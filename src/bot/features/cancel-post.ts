import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { Post } from '../../api/records.ts'
import type { ApiResult } from '../../api/result.ts'
import { auditOutcome, recordAction } from '../audit/audit.ts'
import type { Bot } from '../bot.ts'
import { replyWithFailure } from '../errors.ts'
import type { Feature, Request } from '../feature.ts'
import { findPostsByWords } from '../find-posts.ts'
import { toOutcome } from '../form/outcome.ts'
import { buttonRow, section, textReply } from '../message-blocks.ts'
import type { UserProfile } from '../people/profile.ts'
import { canWrite, WRITE_ACCESS } from '../permissions.ts'
import { MAX_PREVIEW_LENGTH, postBlocks } from '../post-blocks.ts'
import { resolveProject } from '../projects/projects.ts'

const PostReference = z.object({ project_id: z.string(), post_id: z.string() })
type PostReference = z.output<typeof PostReference>

/** The version that the user saw. Another one is shown before it is cancelled. */
const PostToCancel = PostReference.extend({ etag: z.string() })

const ASK_ACTION = 'cancel:ask'
const CONFIRM_ACTION = 'cancel:confirm'

export const cancelPost: Feature = {
  verb: 'cancel',
  usage: '[words or a date]',
  help: 'Cancel a scheduled post or delete a draft.',
  access: WRITE_ACCESS,
  run: askWhichPost,
  actions: {
    [ASK_ACTION]: {
      access: WRITE_ACCESS,
      run: (request) => askToConfirm(request, PostReference.parse(JSON.parse(request.text))),
    },
    [CONFIRM_ACTION]: { access: WRITE_ACCESS, run: cancel },
  },
}

/** The button for a post that this user may cancel. */
export function cancelButton(
  bot: Bot,
  profile: UserProfile,
  project_id: string,
  { Id, Status }: Post,
): KnownBlock[] {
  const isOpen = Status === 'SCHEDULED' || Status === 'DRAFT'
  if (!Id || !isOpen || !bot.extensions.current.canChangePosts || !canWrite(bot, profile)) return []
  const label = Status === 'DRAFT' ? 'Delete draft' : 'Cancel post'
  return buttonRow({ action_id: ASK_ACTION, label, value: JSON.stringify({ project_id, post_id: Id }) })
}

const CANNOT_CANCEL = "Scheduled posts can't be cancelled: this scheduling service doesn't support it."
const MAX_CHOICES = 5

async function askWhichPost(request: Request): Promise<void> {
  const { bot, profile, text, reply } = request
  if (!bot.extensions.current.canChangePosts) return reply(textReply(CANNOT_CANCEL))
  const project = await resolveProject(request)
  if (!project) return
  const found = await findPostsByWords(request, project.Id, text)
  if (found.kind !== 'ok') return replyWithFailure(request, found)
  const [only, ...others] = found.data
  if (!only?.Id) return reply(textReply(`No scheduled post or draft matches. \`/upnext posts\` lists all.`))
  if (!others.length) return askToConfirm(request, { project_id: project.Id, post_id: only.Id })
  const viewer = { ...profile, now: bot.runtime.now() }
  const choices = found.data
    .slice(0, MAX_CHOICES)
    .flatMap((post): KnownBlock[] => [
      { type: 'divider' },
      ...postBlocks(post, viewer, MAX_PREVIEW_LENGTH),
      ...cancelButton(bot, profile, project.Id, post),
    ])
  const question = 'Which post do you want to cancel?'
  await reply({ text: question, blocks: [section(`*${question}*`), ...choices] })
}

async function askToConfirm(request: Request, reference: PostReference): Promise<void> {
  const { bot, reply } = request
  const result = await bot.api.posts.get(reference.project_id, reference.post_id)
  if (result.kind === 'not-found') return reply(textReply('This post no longer exists.'))
  if (result.kind !== 'ok') return replyWithFailure(request, result)
  await reply(confirmation(request, reference, result.data))
}

function confirmation(
  { bot, profile }: Request,
  reference: PostReference,
  { post, etag }: { post: Post; etag: string },
  note?: string,
) {
  const viewer = { ...profile, now: bot.runtime.now() }
  const isDraft = post.Status === 'DRAFT'
  const question = isDraft ? 'Delete this draft?' : 'Cancel this post?'
  const button = {
    action_id: CONFIRM_ACTION,
    label: isDraft ? 'Delete draft' : 'Cancel post',
    value: JSON.stringify({ ...reference, etag }),
    isDangerous: true,
  }
  return {
    text: question,
    blocks: [
      section(`${note ? `${note} ` : ''}*${question}* It can't be undone.`),
      ...postBlocks(post, viewer),
      ...buttonRow(button),
    ],
  }
}

async function cancel(pressed: Request): Promise<void> {
  const request = { ...pressed, reply: pressed.replace }
  const { bot, actor, profile, reply } = request
  const { etag, ...reference } = PostToCancel.parse(JSON.parse(request.text))
  const { project_id, post_id } = reference
  const before = await bot.api.posts.get(project_id, post_id)
  if (before.kind === 'not-found') return reply(textReply('This post was already cancelled.'))
  const result = await bot.api.posts.delete(project_id, { post_id, etag }, { request_id: actor.request_id })
  await recordAction(request, {
    action: CONFIRM_ACTION,
    outcome: auditOutcome(toOutcome(result)),
    project_id,
    target: post_id,
  })
  if (isRejected(result, 409))
    return reply(textReply("It was published just before, so it can't be cancelled anymore."))
  if (isRejected(result, 412) && before.kind === 'ok')
    return reply(confirmation(request, reference, before.data, 'Someone changed this post meanwhile.'))
  if (result.kind === 'not-found') return reply(textReply('This post was already cancelled.'))
  if (result.kind !== 'ok') return replyWithFailure(request, result, { isReadOnly: false })
  const isDraft = before.kind === 'ok' && before.data.post.Status === 'DRAFT'
  const text = isDraft ? 'Deleted this draft:' : "Cancelled. This post won't go out:"
  const viewer = { ...profile, now: bot.runtime.now() }
  const blocks = before.kind === 'ok' ? postBlocks({ ...before.data.post, Status: 'SCHEDULED' }, viewer) : []
  await reply({ text, blocks: [section(`*${text}*`), ...blocks] })
}

const isRejected = (result: ApiResult<unknown>, status: number): boolean =>
  result.kind === 'rejected' && result.status === status
