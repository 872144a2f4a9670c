import type { Channel, Message } from './entities.ts'
import { allowShownFiles, fileRecord } from './files.ts'
import type { Slack } from './slack.ts'
import { isExternalTeam, teamOf } from './teams.ts'
import { avatarUrls, SLACKBOT_ID } from './users.ts'
import { emitEvent } from './workspace-events.ts'

type NewMessage = Omit<Message, 'ts' | 'channel'>

export function addMessage(slack: Slack, channel: Channel, fields: NewMessage): Message {
  const message: Message = { ...fields, ts: slack.ids.ts(), channel: channel.id }
  channel.messages.set(message.ts, message)
  addToThread(channel, message)
  allowShownFiles(slack, channel.id, message.blocks)
  const files = (message.files ?? []).flatMap((id) => slack.files.get(id) ?? [])
  for (const file of files) file.shares.push({ channel: channel.id, ts: message.ts })
  emitEvent(slack, { type: 'message', message })
  const parent = threadParent(channel, message)
  if (parent && !message.visibleTo) emitEvent(slack, { type: 'message_refreshed', message: parent })
  for (const file of files) emitEvent(slack, { type: 'file_shared', file, channel, user: message.user })
  return message
}

type Change = Pick<Message, 'text'> & Partial<Pick<Message, 'blocks' | 'attachments' | 'metadata' | 'edited'>>

/** Replaces the content of a message. Like Slack, this drops blocks and attachments that the change lacks. */
export function changeMessage(slack: Slack, channel: Channel, message: Message, change: Change): Message {
  const { blocks, attachments, ...unchanged } = message
  return replaceMessage(slack, channel, message, { ...unchanged, ...change })
}

function addToThread({ threads }: Channel, { thread_ts, ts, visibleTo }: Message): void {
  if (!thread_ts || thread_ts === ts || visibleTo) return
  threads.set(thread_ts, (threads.get(thread_ts) ?? new Set()).add(ts))
}

function replaceMessage(slack: Slack, channel: Channel, message: Message, replacement: Message): Message {
  // The message may have been deleted while the app was preparing the change.
  if (!channel.messages.has(message.ts)) return replacement
  channel.messages.set(message.ts, replacement)
  allowShownFiles(slack, channel.id, replacement.blocks)
  emitEvent(slack, { type: 'message_changed', message: replacement, previous: message })
  return replacement
}

export function removeMessage(slack: Slack, channel: Channel, message: Message): void {
  if (repliesOf(channel, message.ts).length) {
    // A message with replies leaves a placeholder.
    const tombstone = { ts: message.ts, channel: channel.id, user: SLACKBOT_ID, subtype: 'tombstone' }
    replaceMessage(slack, channel, message, { ...tombstone, text: 'This message was deleted.' })
    return
  }
  if (!channel.messages.delete(message.ts)) return
  if (message.thread_ts) channel.threads.get(message.thread_ts)?.delete(message.ts)
  emitEvent(slack, { type: 'message_deleted', message })
  const parent = threadParent(channel, message)
  if (parent) emitEvent(slack, { type: 'message_refreshed', message: parent })
}

export function addReaction(slack: Slack, message: Message, user: string, name: string): boolean {
  message.reactions ??= []
  const existing = message.reactions.find((reaction) => reaction.name === name)
  if (existing?.users.includes(user)) return false
  if (existing) existing.users.push(user)
  else message.reactions.push({ name, users: [user] })
  emitEvent(slack, { type: 'message_refreshed', message })
  emitEvent(slack, { type: 'reaction_added', message, user, reaction: name })
  return true
}

export function removeReaction(slack: Slack, message: Message, user: string, name: string): boolean {
  const existing = message.reactions?.find((reaction) => reaction.name === name)
  if (!existing?.users.includes(user)) return false
  existing.users = existing.users.filter((other) => other !== user)
  const remaining = message.reactions?.filter(({ users }) => users.length) ?? []
  if (remaining.length) message.reactions = remaining
  else delete message.reactions
  emitEvent(slack, { type: 'message_refreshed', message })
  emitEvent(slack, { type: 'reaction_removed', message, user, reaction: name })
  return true
}

/** The messages that everyone in the channel sees. */
export const publicMessages = ({ messages }: Channel) =>
  [...messages.values()].filter(({ visibleTo }) => !visibleTo)

export function findPublicMessage({ messages }: Channel, ts: string): Message | undefined {
  const message = messages.get(ts)
  return message?.visibleTo ? undefined : message
}

export const repliesOf = (channel: Channel, ts: string): Message[] =>
  [...(channel.threads.get(ts) ?? [])].flatMap((reply) => findPublicMessage(channel, reply) ?? [])

const threadParent = (channel: Channel, { thread_ts, ts }: Message) =>
  thread_ts && thread_ts !== ts ? findPublicMessage(channel, thread_ts) : undefined

/** A message in the form of Slack's API. */
export function messageRecord(slack: Slack, message: Message, { withMetadata = true } = {}) {
  const { ts, user, text, blocks, attachments, subtype, edited, reactions, metadata } = message
  const channel = slack.channels.get(message.channel)
  return {
    ...(message.visibleTo && { is_ephemeral: true }),
    ...(subtype && { subtype }),
    ...(message.client_msg_id && { client_msg_id: message.client_msg_id }),
    type: 'message',
    user,
    text,
    ts,
    team: teamOf(slack, user).id,
    ...(message.appIdentity && appFields(slack, message.appIdentity)),
    ...(blocks && { blocks }),
    ...(attachments && { attachments }),
    ...(edited && { edited }),
    ...(message.files && { files: message.files.map((id) => fileOf(slack, id)), upload: false }),
    ...(reactions && {
      reactions: reactions.map((reaction) => ({ ...reaction, count: reaction.users.length })),
    }),
    ...(metadata ? { metadata: withMetadata ? metadata : { event_type: Object(metadata).event_type } } : {}),
    ...(channel ? threadRecord(channel, message) : {}),
  }
}

export type MessageRecord = ReturnType<typeof messageRecord>

function appFields(slack: Slack, { username, icons }: NonNullable<Message['appIdentity']>) {
  const { app } = slack
  return {
    bot_id: app.botId,
    app_id: app.id,
    ...(username && { username }),
    ...(icons && { icons }),
    bot_profile: botProfile(slack),
  }
}

/** The app as the author of a message. */
export function botProfile(slack: Slack) {
  const { app, team } = slack
  return {
    id: app.botId,
    app_id: app.id,
    name: app.manifest.display_information.name,
    icons: avatarUrls(slack, app.botUserId, [36, 48, 72]),
    deleted: !app.installation,
    updated: 0,
    team_id: team.id,
  }
}

type ThreadRecord = {
  thread_ts?: string
  parent_user_id?: string
  reply_count?: number
  reply_users_count?: number
  reply_users?: string[]
  latest_reply?: string
  is_locked?: boolean
  subscribed?: boolean
}

function threadRecord(channel: Channel, message: Message): ThreadRecord {
  if (message.thread_ts && message.thread_ts !== message.ts) {
    const parent = findPublicMessage(channel, message.thread_ts)
    return { thread_ts: message.thread_ts, ...(parent && { parent_user_id: parent.user }) }
  }
  const replies = repliesOf(channel, message.ts)
  const latest = replies.at(-1)
  if (!latest) return {}
  const users = [...new Set(replies.map(({ user }) => user))]
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users.slice(0, 5),
    latest_reply: latest.ts,
    is_locked: false,
    subscribed: false,
  }
}

/** Of a file from another organization, Slack tells no more than where to ask. */
function fileOf(slack: Slack, id: string) {
  const file = slack.files.get(id)
  if (!file) return { id, mode: 'tombstone' }
  if (!isExternalTeam(slack, teamOf(slack, file.user))) return fileRecord(slack, file)
  const created = Math.floor(file.created.getTime() / 1000)
  return {
    id,
    created,
    timestamp: created,
    mode: 'file_access',
    user: file.user,
    file_access: 'check_file_info',
  }
}
