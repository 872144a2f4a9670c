import type { Seed } from '../../seed.ts'
import { addChannel } from './channels.ts'
import { installApp } from './installation.ts'
import { addMessage } from './messages.ts'
import type { Slack } from './slack.ts'
import { SLACKBOT_ID } from './users.ts'

/** Adds the users, channels and messages of the seed, and the app. */
export function populateWorkspace(slack: Slack, seed: Seed, { installed }: { installed: boolean }): void {
  const { app, users, ids } = slack
  const idsByHandle = new Map(seed.users.map(({ handle }) => [handle, ids.next('U')]))
  const userId = (handle: string) => idsByHandle.get(handle) as string
  for (const { email, tz, ...user } of seed.users)
    users.set(userId(user.handle), {
      ...user,
      id: userId(user.handle),
      email: email ?? `${user.handle}@${seed.team.domain}.example`,
      ...(tz && { tz }),
    })
  const { features, display_information, oauth_config } = app.manifest
  const botName = features.bot_user?.display_name ?? display_information.name
  users.set(app.botUserId, {
    id: app.botUserId,
    handle: botName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_'),
    name: botName,
    title: '',
    role: 'bot',
    locale: 'en-US',
  })
  users.set(SLACKBOT_ID, {
    id: SLACKBOT_ID,
    handle: 'slackbot',
    name: 'Slackbot',
    title: '',
    role: 'bot',
    locale: 'en-US',
  })
  const creator = [...users.values()].find(({ role }) => role === 'owner') ?? [...users.values()][0]
  const creatorId = creator?.id ?? app.botUserId
  for (const { members, messages, app: hasApp, private: isPrivate, ...fields } of seed.channels) {
    const channel = addChannel(slack, {
      ...fields,
      kind: isPrivate ? 'private' : 'public',
      creator: creatorId,
      members: [...members.map(userId), ...(hasApp && installed ? [app.botUserId] : [])],
    })
    for (const { from, text } of messages) addMessage(slack, channel, { user: userId(from), text })
  }
  if (!installed) return
  const { bot, user } = oauth_config.scopes
  installApp(slack, { installedBy: creatorId, scopes: bot, userScopes: user })
}
