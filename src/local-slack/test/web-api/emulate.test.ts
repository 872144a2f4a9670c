import { createEmulator } from 'emulate'
import { vi } from 'vitest'
import { readManifest } from '../../manifest.ts'
import { FIXED_NOW } from '../fixed-runtime.ts'
import { MANIFEST } from '../sample-bot/bot.ts'
import { connect } from './connect.ts'
import type { Implementation } from './contract/implementation.ts'
import { type Differences, describeWebApi } from './contract.ts'

const scopes = readManifest(MANIFEST).oauth_config.scopes.bot

const APP = { app_id: 'A0SAMPLE', bot_id: 'B0SAMPLE', bot_user_id: 'U0SAMPLE', bot_name: 'sample_bot' }
const oauth_app = {
  ...APP,
  name: 'Sample Bot',
  client_id: '1.2',
  client_secret: 'x',
  redirect_uris: [],
  scopes,
}

const seed = {
  team: { name: 'Lantern Street', domain: 'lantern-street' },
  users: [
    {
      name: 'mara',
      real_name: 'Mara Lindqvist',
      email: 'mara@lantern-street.example',
      profile: { title: 'Head of social' },
    },
    { name: 'tomas', real_name: 'Tomás Vega' },
  ],
  channels: [{ name: 'launch' }, { name: 'board', is_private: true }],
  oauth_apps: [oauth_app],
  tokens: [
    {
      token: 'xoxb-sample',
      type: 'bot',
      user_id: APP.bot_user_id,
      scopes,
      app_id: APP.app_id,
      bot_id: APP.bot_id,
    },
    { token: 'xoxp-mara', type: 'user', user: 'mara', scopes: [...scopes, 'groups:write'] },
  ],
  strict_scopes: true,
}

async function open(): Promise<Implementation> {
  // This emulator reads the system clock.
  vi.useFakeTimers({ now: FIXED_NOW, toFake: ['Date'] })
  const emulator = await createEmulator({ service: 'slack', port: 0, seed: { slack: seed } })
  const client = connect(`${emulator.url}/api/`, 'xoxb-sample')
  const mara = connect(`${emulator.url}/api/`, 'xoxp-mara')
  const { members = [] } = await mara.users.list({})
  const { channels = [] } = await mara.conversations.list({ types: 'public_channel,private_channel' })
  const userId = (wanted: string) => members.find(({ name }) => name === wanted)?.id ?? ''
  const channelId = (wanted: string) => channels.find(({ name }) => name === wanted)?.id ?? ''
  const joined = channelId('launch')
  await client.conversations.join({ channel: joined })
  const { channel: press } = await mara.conversations.create({ name: 'press', is_private: true })
  const secret = press?.id ?? ''
  await mara.conversations.invite({ channel: secret, users: APP.bot_user_id })
  return {
    client,
    botUserId: APP.bot_user_id,
    now: () => FIXED_NOW,
    user: { id: userId('mara'), email: 'mara@lantern-street.example' },
    nonMember: userId('tomas'),
    channels: { joined, other: channelId('general'), secret, hidden: channelId('board') },
    postAsUser: async (text) => (await mara.chat.postMessage({ channel: joined, text })).ts ?? '',
    async createTrigger(from) {
      const answer = await client.apiCall('views.generateTriggerId', { ...from })
      return String(Object(answer).trigger_id)
    },
    async close() {
      await emulator.close()
      vi.useRealTimers()
    },
  }
}

/** The cases that fail with emulate 0.12.2, with the reason. A case that passes must be removed from this list. */
const differences: Differences = {
  'auth.test returns is_enterprise_install: false': 'It has no enterprises',
  'auth.test refuses an unknown token': 'It treats the owner of an unknown token as its admin',
  "bots.info returns the bot's app, user and last change": 'It does not return the app and the user of a bot',
  'bots.info returns the icon in three sizes': 'It returns only size 48, and that is empty',
  'team.info returns the email domain': 'Its workspace has only an id, a name and a domain',
  'team.info returns the icon in six sizes': 'Its workspace has no icon',
  'team.info refuses an unknown workspace': 'It ignores which workspace is requested',

  'users.info returns the role of a user': 'It has no roles except admin',
  'users.info returns the time zone of a user': 'It has no time zones',
  'users.info returns the last change of a user': 'It does not return the time of the last change',
  'users.info returns the avatar in six sizes': 'It returns only sizes 48 and 192, and both are empty',
  'users.info returns the locale only on request': 'It has no locales',
  "users.info returns a bot's app, and no email address": 'It makes up an email address for bots, too',
  'users.list includes Slackbot': 'It has only the users of the seed and its own admin',
  'users.list returns the time of its cache': 'It has no cache time',
  'users.list refuses an unknown cursor': 'It returns the first page for an unknown cursor',

  'conversations.list marks the general channel': 'It does not mark the general channel',
  'conversations.list returns the last change of a channel': 'It does not return the time of the last change',
  'conversations.list returns the workspaces that share a channel': 'It has no Slack Connect',
  'conversations.list returns the previous names of a channel': 'It does not store previous names',
  'conversations.list returns whether the user of a direct message was deleted':
    'Its direct messages lack the fields of direct messages',
  'conversations.list refuses an unknown channel type': 'It returns no channels for an unknown type',
  'conversations.list refuses an unknown cursor': 'It returns the first page for an unknown cursor',
  'conversations.list refuses an invalid limit': 'It fails with status 500',
  'conversations.info does not count the members by default': 'It always counts the members',
  'conversations.info hides a private channel from an app that is not a member':
    'It returns not_in_channel, which reveals the channel',
  'conversations.members returns its items page by page': 'It ignores the limit and returns all members',
  'conversations.members refuses an invalid limit': 'It ignores the limit',
  'conversations.join warns if the bot is already a member': 'It answers as if the bot had just joined',
  'conversations.join refuses a direct message':
    'It asks for the scope groups:write: its direct messages are private channels',
  'conversations.join hides a private channel from an app that is not a member':
    'It asks for the scope groups:write, which reveals the channel',

  'conversations.history returns the number of pins': 'It does not count pins here',
  'conversations.history returns the messages between two times': 'It ignores oldest and latest',
  'conversations.history includes replies that were also sent to the channel':
    'It stores reply_broadcast without effect',
  'conversations.history returns all fields of a thread':
    'It returns only the number and the authors of replies',
  "conversations.history returns only the metadata's type by default": 'It always returns the metadata',
  'conversations.history refuses a public channel without the bot': 'It lets a bot read every public channel',
  'conversations.history hides a private channel from an app that is not a member':
    'It returns not_in_channel, which reveals the channel',
  'conversations.history refuses an unknown cursor': 'It returns the first page for an unknown cursor',
  'conversations.history refuses an invalid time': 'It ignores oldest and latest',
  'conversations.replies returns the author of the first message with each reply':
    'Its replies lack the author of the first message',
  'conversations.replies returns its items page by page': 'It ignores the limit and returns all replies',
  'conversations.replies refuses an unknown thread': 'It returns an empty list',

  'chat.postMessage returns the app that posted the message':
    'Its messages name the user, but not the bot and the app',
  "chat.postMessage returns the app's icon in three sizes": 'Its messages lack the bot profile',
  'chat.postMessage adds a rich text block to plain text': 'It stores messages unchanged',
  'chat.postMessage adds missing block_ids': 'It stores blocks unchanged',
  'chat.postMessage adds the defaults of text objects': 'It stores blocks unchanged',
  'chat.postMessage numbers the attachments': 'It stores attachments unchanged',
  'chat.postMessage escapes characters that look like markup': 'It stores text unchanged',
  'chat.postMessage accepts a channel name': 'It accepts a channel name only without the #',
  "chat.postMessage returns the author of the thread's first message":
    'Its replies lack the author of the first message',
  'chat.postMessage hides a private channel from an app that is not a member':
    'It returns not_in_channel, which reveals the channel',
  'chat.postMessage reports what is invalid in blocks, with JSON pointers':
    'It accepts any list of objects as blocks',
  'chat.postMessage refuses blocks that are not a list':
    'It returns invalid_blocks for blocks that are not a list',
  'chat.postMessage accepts at most 50 blocks': 'It has no limit on blocks',
  'chat.postMessage accepts at most 100 attachments': 'It has no limit on attachments',
  'chat.postMessage refuses markdown_text together with text or blocks': 'It does not support markdown_text',

  'chat.update refuses text with more than 4,000 characters':
    'It truncates at 40,000 characters, like for a new message',
  'chat.update refuses an unknown channel': 'It looks up the message first and returns message_not_found',
  'chat.delete refuses an unknown channel': 'It looks up the message first and returns message_not_found',
  'reactions.add refuses an unknown channel': 'It looks up the message first and returns message_not_found',
  'reactions.add refuses an invalid timestamp': 'It looks up the message first and returns message_not_found',
  'reactions.add refuses an invalid emoji name': 'It accepts any name',
  'reactions.add requires a message': 'It looks up the message first and returns message_not_found',

  'chat.scheduleMessage returns the author of the message': 'It does not return the author',
  "chat.scheduleMessage returns the app's profile": 'Its messages lack the bot profile',
  'chat.scheduledMessages.list refuses an unknown channel': 'It returns channel_not_found here, too',

  'views.open returns the workspace of the installation': 'Its views do not name the workspace',
  'views.open adds missing block_ids and action_ids': 'It stores blocks unchanged',
  'views.open requires a title': 'It returns its own error invalid_view without details',
  'views.open reports texts that are too long': 'It has no size limits for views',
  'views.open refuses a view of more than 250 kB': 'It has no size limits for views',
  'views.update requires a title': 'It returns its own error invalid_view without details',
  'views.publish refuses a modal': 'It returns its own error invalid_view without details',

  'files.getUploadURLExternal refuses an empty file': 'It accepts a length of 0',
  "files.completeUploadExternal shares a file only in the bot's channels":
    'It lets a bot share files in any public channel',
  'files.info returns the comments of a file page by page': 'It uses page numbers rather than cursors',
  'files.info returns whether the file has a public URL': 'It has no public file URLs',
  'files.info returns the type `text` for a .txt file':
    'It uses the file extension as the type, except for images and Markdown',
}

describeWebApi("emulate's Slack", open, differences)
