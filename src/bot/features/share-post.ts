import type { KnownBlock } from '@slack/types'
import { isChannelId } from '../actor.ts'
import { replyWithFailure } from '../errors.ts'
import type { Feature, Request } from '../feature.ts'
import { optional } from '../form/field.ts'
import { channelField, textField } from '../form/fields.ts'
import type { SendContext } from '../form/form.ts'
import { defineForm, openForm } from '../form/open-form.ts'
import { type Outcome, refuseField } from '../form/outcome.ts'
import { context as contextBlock, escapeText, section, textReply } from '../message-blocks.ts'
import { explainPostingError } from '../notify.ts'
import { accessForModal } from '../permissions.ts'
import { viewPost } from '../posts/change-post.ts'
import { choosePost } from '../posts/find-posts.ts'
import { formatSchedule, platformNames, postBlocks, quotePost } from '../posts/post-blocks.ts'
import { postMenu } from '../posts/post-menu.ts'
import { savePostMessage } from '../posts/post-message-store.ts'
import { PostReference } from '../posts/post-reference.ts'
import { slackErrorCode } from '../slack-errors.ts'

type Share = { channel_id: string; comment: string }

const TITLE = 'Share a post'

const form = defineForm<Share, Share>({
  verb: 'share',
  usage: '[words or a date]',
  help: 'Share a post in a channel.',
  title: TITLE,
  submitLabel: 'Share',
  permission: 'write',
  fields: {
    channel_id: channelField('Channel', 'Upnext must be a member. Add it with "/invite @Upnext".'),
    comment: optional(textField('Comment', { multiline: true, maxLength: 1000 })),
  },
  send: share,
  successReply: ({ channel_id }) => textReply(`Shared in <#${channel_id}>.`),
  nextActions: () => [],
})

export const sharePost: Feature & typeof form = {
  ...form,
  run: async (request) => {
    const reference = await choosePost(request, 'Which post do you want to share?', { mayBePublished: true })
    if (reference) await openShare(request, reference)
  },
  actions: {
    'share:ask': {
      access: accessForModal('write', TITLE),
      run: (request) => openShare(request, PostReference.parse(JSON.parse(request.text))),
    },
  },
}

const LOAD_TIMEOUT_MS = 2000

async function openShare(request: Request, reference: PostReference): Promise<void> {
  const { bot, actor, reply } = request
  const { team_id, channel_id } = actor
  const result = await viewPost({ bot, team_id }, reference, { deadlineMs: LOAD_TIMEOUT_MS })
  if (result.kind === 'failed') return replyWithFailure(request, result.failure)
  if (result.kind !== 'ok') return reply(textReply('This post no longer exists.'))
  const { post, etag } = result.data
  const draft = {
    values: { channel_id: isChannelId(channel_id) ? channel_id : undefined },
    openedPost: { ...reference, etag },
    about: quotePost(post),
  }
  await openForm(form, { ...request, text: '' }, { project_id: reference.project_id, draft })
}

async function share(input: Share, context: SendContext): Promise<Outcome<Share>> {
  const { bot, actor, project, openedPost, deadlineMs } = context
  if (!openedPost) throw new Error('The form was opened without a post.')
  const found = await viewPost({ bot, team_id: actor.team_id }, openedPost, { deadlineMs })
  if (found.kind === 'failed') return { kind: 'refused', reason: found.failure }
  if (found.kind !== 'ok') return refuseField('channel_id', 'This post no longer exists.')
  const { post } = found.data
  const viewer = { zone: 'UTC', now: bot.runtime.now(), isChannel: true }
  const { channel_id: channel, comment } = input
  const blocks: KnownBlock[] = [
    ...(comment ? [section(escapeText(comment))] : []),
    ...postBlocks(post, viewer, { menu: postMenu({ bot, project_id: project.Id }, post) }),
    contextBlock(`Shared by <@${actor.user_id}>`),
  ]
  const text = `${escapeText(project.Name)}: ${formatSchedule(post, viewer)}, ${platformNames(post)}`
  try {
    const { ts = '' } = await actor.client.chat.postMessage({ channel, text, blocks })
    const { project_id, post_id } = openedPost
    const posted_at = bot.runtime.now()
    const { team_id, user_id: posted_by } = actor
    const message = {
      team_id,
      project_id,
      post_id,
      channel_id: channel,
      ts,
      posted_by,
      posted_at,
      comment: comment ?? null,
    }
    // The post is shared, so this failure must not make the user share it again.
    await savePostMessage(bot.db, message).catch((err) =>
      bot.log.error({ err }, 'Remembering the message of a post failed'),
    )
    return { kind: 'done', result: input }
  } catch (error) {
    const code = slackErrorCode(error)
    if (!code) throw error
    return refuseField('channel_id', `Couldn't post there: ${explainPostingError(code)}`)
  }
}
