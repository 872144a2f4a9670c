import type { KnownBlock } from '@slack/types'
import { optional } from '../../forms/field.ts'
import { channelField, textField } from '../../forms/fields.ts'
import type { SendContext } from '../../forms/form.ts'
import { defineForm } from '../../forms/open-form.ts'
import { type Outcome, refuseField } from '../../forms/outcome.ts'
import { isChannelId } from '../../slack/actor.ts'
import { checkChannelAccess } from '../../slack/check-channel-access.ts'
import { noProject, type Request } from '../../slack/feature.ts'
import { context as contextBlock, escapeText, section, textReply } from '../../slack/message-blocks.ts'
import { accessForModal } from '../../slack/permissions.ts'
import { explainPostingError, slackErrorCode } from '../../slack/slack-errors.ts'
import { formatSchedule, platformNames, postBlocks } from './display/post-blocks.ts'
import { postMenu } from './display/post-menu.ts'
import type { OpenedPost, PostReference } from './display/post-reference.ts'
import { HANDED_OVER, HELD } from './display/post-states.ts'
import { loadPostForForm, openPostForm, postAction, withChosenPost } from './find/post-actions.ts'
import { readPost, resolveReference } from './find/read-post.ts'
import { rememberMessage } from './messages/remember-message.ts'

type Share = { channel_id: string; comment: string }

const TITLE = 'Share a post'

export const sharePost = defineForm<Share, Share, OpenedPost>({
  verb: 'share',
  usage: '[words or a date]',
  help: 'Share a post in a channel.',
  title: TITLE,
  submitLabel: 'Share',
  permission: 'write',
  changesNoProject: true,
  run: withChosenPost('Which post do you want to share?', openShareForm, { mayBePublished: true }),
  actions: {
    'share:ask': { ...postAction(accessForModal('write', TITLE), openShareForm), projectOf: noProject },
  },
  fields: {
    channel_id: channelField('Channel'),
    comment: optional(textField('Comment', { multiline: true, maxLength: 1000 })),
  },
  send: share,
  successReply: ({ channel_id }) => textReply(`Shared in <#${channel_id}>.`),
})

async function openShareForm(request: Request, reference: PostReference): Promise<void> {
  const { channel_id } = request.actor
  const found = await loadPostForForm(request, reference, { mayBePublished: true })
  const values = { channel_id: isChannelId(channel_id) ? channel_id : undefined }
  if (found) await openPostForm(sharePost, request, { reference, found, values })
}

async function share(input: Share, context: SendContext<OpenedPost>): Promise<Outcome<Share>> {
  const { bot, actor, project, opened, deadline } = context
  const workspace = { bot, team_id: actor.team_id }
  const reference = await resolveReference(workspace, opened)
  const read = await readPost(workspace, reference, { deadline })
  const isOnItsWay = read.kind === 'too late' && (read.reason === 'handed over' || read.reason === 'sent')
  const found: typeof read =
    isOnItsWay && read.post ? { kind: 'ok', data: { post: read.post, etag: '' } } : read
  // A post that was handed over since has another version, but the same content.
  const seenEtag = opened.is_held && (isOnItsWay || !reference.is_held) ? '' : opened.etag
  if (found.kind === 'failed') return { kind: 'refused', reason: found.failure }
  if (found.kind === 'too late') return refuseField('channel_id', found.message)
  if (found.kind !== 'ok') return refuseField('channel_id', 'This post no longer exists.')
  if ((await checkChannelAccess(bot, actor, input.channel_id)) === 'no')
    return refuseField('channel_id', "You aren't a member of that channel. Pick another one.")
  const { post, etag } = found.data
  if (seenEtag && etag !== seenEtag)
    return refuseField(
      'channel_id',
      'This post has changed since you opened the form. Close the form and share the post again to see the new version.',
    )
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
    // Until the service has a post, it is looked up in the outbox.
    const shown = post.Status === HANDED_OVER ? { ...post, Id: opened.post_id, Status: HELD } : post
    await rememberMessage(shown, { bot, project, comment })(actor, { channel, ts })
    return { kind: 'done', result: input }
  } catch (error) {
    const code = slackErrorCode(error)
    if (!code) throw error
    return refuseField('channel_id', `Couldn't post there: ${explainPostingError(code)}`)
  }
}
