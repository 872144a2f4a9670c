import type { KnownBlock } from '@slack/types'
import { isChannelId } from '../actor.ts'
import type { Feature, Request } from '../feature.ts'
import { optional } from '../form/field.ts'
import { channelField, textField } from '../form/fields.ts'
import type { SendContext } from '../form/form.ts'
import { defineForm, openForm } from '../form/open-form.ts'
import { type Outcome, refuseField } from '../form/outcome.ts'
import { context as contextBlock, escapeText, section, textReply } from '../message-blocks.ts'
import { explainPostingError } from '../notify.ts'
import { canSeeChannel } from '../people/can-see-channel.ts'
import { accessForModal } from '../permissions.ts'
import { viewPost } from '../posts/change-post.ts'
import { choosePost } from '../posts/find-posts.ts'
import { FORM_TIMEOUT, loadPost, toOpenedPost } from '../posts/load-post.ts'
import { formatSchedule, platformNames, postBlocks, quotePost } from '../posts/post-blocks.ts'
import { postMenu } from '../posts/post-menu.ts'
import { PostReference } from '../posts/post-reference.ts'
import { rememberMessage } from '../posts/remember-message.ts'
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

async function openShare(request: Request, reference: PostReference): Promise<void> {
  const { channel_id } = request.actor
  const found = await loadPost(request, reference, { ...FORM_TIMEOUT, mayBePublished: true })
  if (!found) return
  const { post } = found
  const draft = {
    values: { channel_id: isChannelId(channel_id) ? channel_id : undefined },
    openedPost: toOpenedPost(request, reference, found),
    about: quotePost(post),
  }
  await openForm(form, { ...request, text: '' }, { project_id: reference.project_id, draft })
}

async function share(input: Share, context: SendContext): Promise<Outcome<Share>> {
  const { bot, actor, project, openedPost, deadlineMs } = context
  if (!openedPost) throw new Error('The form was opened without a post.')
  const found = await viewPost({ bot, team_id: actor.team_id }, openedPost, { deadlineMs })
  if (found.kind === 'failed') return { kind: 'refused', reason: found.failure }
  if (found.kind === 'too late') return refuseField('channel_id', found.message)
  if (found.kind !== 'ok') return refuseField('channel_id', 'This post no longer exists.')
  if ((await canSeeChannel(bot, actor, input.channel_id)) === 'no')
    return refuseField('channel_id', "You aren't a member of that channel. Pick another one.")
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
    const { ts } = await actor.client.chat.postMessage({ channel, text, blocks })
    await rememberMessage(bot, actor, { channel, ts, subject: { project, post }, comment })
    return { kind: 'done', result: input }
  } catch (error) {
    const code = slackErrorCode(error)
    if (!code) throw error
    return refuseField('channel_id', `Couldn't post there: ${explainPostingError(code)}`)
  }
}
