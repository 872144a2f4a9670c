import type { KnownBlock, MessageAttachment } from '@slack/types'
import type { Channel } from './channels.ts'
import { fileRecord } from './files.ts'
import { announce } from './happenings.ts'
import { pictures, SLACKBOT } from './people.ts'
import { noteShownFiles } from './shown-files.ts'
import type { Slack } from './slack.ts'

export type Message = {
  ts: string
  channel: string
  user: string
  text: string
  blocks?: KnownBlock[]
  attachments?: MessageAttachment[]
  subtype?: string
  thread_ts?: string
  /** Said by the app, in its name or another. */
  byApp?: { username?: string; icons?: Record<string, string> }
  edited?: { user: string; ts: string }
  files?: string[]
  reactions?: { name: string; users: string[] }[]
  metadata?: unknown
  /** The one who sees it, where it is for nobody else. */
  only?: string
  /** The command line of an answer that all may see; Slack tells no app of it. */
  commandLine?: true
  /** What a person's client called it, so that it is sent once. */
  client_msg_id?: string
}

type NewMessage = Omit<Message, 'ts' | 'channel'>

export function addMessage(slack: Slack, channel: Channel, said: NewMessage): Message {
  const message: Message = { ...said, ts: slack.ids.ts(), channel: channel.id }
  channel.messages.set(message.ts, message)
  noteReply(channel, message)
  noteShownFiles(slack, channel.id, message.blocks)
  const files = (message.files ?? []).flatMap((id) => slack.files.get(id) ?? [])
  for (const file of files) file.shares.push({ channel: channel.id, ts: message.ts })
  announce(slack, { type: 'message', message })
  const parent = threadParent(channel, message)
  if (parent && !message.only) announce(slack, { type: 'touched', message: parent })
  for (const file of files) announce(slack, { type: 'file_shared', file, channel, user: message.user })
  return message
}

type Change = Pick<Message, 'text'> & Partial<Pick<Message, 'blocks' | 'attachments' | 'metadata' | 'edited'>>

/** What is not named in the change goes, as Slack has it: a message is replaced, not merged. */
export function changeMessage(slack: Slack, channel: Channel, message: Message, change: Change): Message {
  const { blocks, attachments, ...kept } = message
  return replaceMessage(slack, channel, message, { ...kept, ...change })
}

function noteReply({ threads }: Channel, { thread_ts, ts, only }: Message): void {
  if (!thread_ts || thread_ts === ts || only) return
  threads.set(thread_ts, (threads.get(thread_ts) ?? new Set()).add(ts))
}

function replaceMessage(slack: Slack, channel: Channel, message: Message, by: Message): Message {
  // It may have gone while the app was busy with it.
  if (!channel.messages.has(message.ts)) return by
  channel.messages.set(message.ts, by)
  noteShownFiles(slack, channel.id, by.blocks)
  announce(slack, { type: 'message_changed', message: by, previous: message })
  return by
}

export function removeMessage(slack: Slack, channel: Channel, message: Message): void {
  if (repliesTo(channel, message.ts).length) {
    // What was answered leaves a stone, so that the answers have a place.
    const stone = { ts: message.ts, channel: channel.id, user: SLACKBOT, subtype: 'tombstone' }
    replaceMessage(slack, channel, message, { ...stone, text: 'This message was deleted.' })
    return
  }
  if (!channel.messages.delete(message.ts)) return
  if (message.thread_ts) channel.threads.get(message.thread_ts)?.delete(message.ts)
  announce(slack, { type: 'message_deleted', message })
  const parent = threadParent(channel, message)
  if (parent) announce(slack, { type: 'touched', message: parent })
}

export function addReaction(slack: Slack, message: Message, user: string, name: string): boolean {
  message.reactions ??= []
  const there = message.reactions.find((reaction) => reaction.name === name)
  if (there?.users.includes(user)) return false
  if (there) there.users.push(user)
  else message.reactions.push({ name, users: [user] })
  announce(slack, { type: 'touched', message })
  announce(slack, { type: 'reaction_added', message, user, reaction: name })
  return true
}

/** What everybody in the channel can see of it. */
export const openMessages = ({ messages }: Channel) => [...messages.values()].filter(({ only }) => !only)

export function messageAt({ messages }: Channel, ts: string): Message | undefined {
  const message = messages.get(ts)
  return message?.only ? undefined : message
}

export const repliesTo = (channel: Channel, ts: string): Message[] =>
  [...(channel.threads.get(ts) ?? [])].flatMap((reply) => messageAt(channel, reply) ?? [])

const threadParent = (channel: Channel, { thread_ts, ts }: Message) =>
  thread_ts && thread_ts !== ts ? messageAt(channel, thread_ts) : undefined

/** A message as conversations.history and the events have it. */
export function messageRecord(slack: Slack, message: Message, { withMetadata = true } = {}) {
  const { ts, user, text, blocks, attachments, subtype, edited, reactions, metadata } = message
  const channel = slack.channels.get(message.channel)
  return {
    ...(message.only && { is_ephemeral: true }),
    ...(subtype && { subtype }),
    ...(message.client_msg_id && { client_msg_id: message.client_msg_id }),
    type: 'message',
    user,
    text,
    ts,
    team: slack.team.id,
    ...(message.byApp && appProfile(slack, message.byApp)),
    ...(blocks && { blocks }),
    ...(attachments && { attachments }),
    ...(edited && { edited }),
    ...(message.files && { files: message.files.map((id) => fileOf(slack, id)), upload: false }),
    ...(reactions && { reactions: reactions.map((one) => ({ ...one, count: one.users.length })) }),
    ...(metadata ? { metadata: withMetadata ? metadata : typeOnly(metadata) } : {}),
    ...(channel ? threadRecord(channel, message) : {}),
  }
}

/** Who does not ask for metadata sees that there is some. */
const typeOnly = (metadata: unknown) => ({ event_type: Object(metadata).event_type })

export type MessageRecord = ReturnType<typeof messageRecord>

function appProfile(slack: Slack, { username, icons }: NonNullable<Message['byApp']>) {
  const { app } = slack
  return {
    bot_id: app.botId,
    app_id: app.id,
    ...(username && { username }),
    ...(icons && { icons }),
    bot_profile: botProfile(slack),
  }
}

/** The app as it signs what it says. */
export function botProfile(slack: Slack) {
  const { app, team } = slack
  return {
    id: app.botId,
    app_id: app.id,
    name: app.manifest.display_information.name,
    icons: pictures(slack, app.botUser, [36, 48, 72]),
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
    const parent = messageAt(channel, message.thread_ts)
    return { thread_ts: message.thread_ts, ...(parent && { parent_user_id: parent.user }) }
  }
  const replies = repliesTo(channel, message.ts)
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

function fileOf(slack: Slack, id: string) {
  const file = slack.files.get(id)
  return file ? fileRecord(slack, file) : { id, mode: 'tombstone' }
}
