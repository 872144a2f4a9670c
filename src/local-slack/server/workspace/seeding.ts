import type { Seed } from '../../seed.ts'
import { install } from './app.ts'
import { addChannel } from './channels.ts'
import { addMessage } from './messages.ts'
import { SLACKBOT } from './people.ts'
import type { Slack } from './slack.ts'

/** Puts the people, the channels and the app in their places. */
export function plant(slack: Slack, seed: Seed, { installed }: { installed: boolean }): void {
  const { app, people, ids } = slack
  const idOf = new Map(seed.people.map(({ handle }) => [handle, ids.next('U')]))
  const known = (handle: string) => idOf.get(handle) as string
  for (const { email, tz, ...person } of seed.people)
    people.set(known(person.handle), {
      ...person,
      id: known(person.handle),
      email: email ?? `${person.handle}@${seed.team.domain}.example`,
      ...(tz && { tz }),
    })
  const { name } = app.manifest.display_information
  people.set(app.botUser, {
    id: app.botUser,
    handle: (app.manifest.features.bot_user?.display_name ?? name)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_'),
    name: app.manifest.features.bot_user?.display_name ?? name,
    title: '',
    role: 'bot',
    locale: 'en-US',
  })
  const slackbot = { handle: 'slackbot', name: 'Slackbot', title: '', locale: 'en-US' }
  people.set(SLACKBOT, { ...slackbot, id: SLACKBOT, role: 'bot' })
  const first = [...people.values()].find(({ role }) => role === 'owner') ?? [...people.values()][0]
  const founder = first?.id ?? app.botUser
  for (const { members, messages, app: withApp, private: hidden, ...channel } of seed.channels) {
    const kind = hidden ? 'private' : 'public'
    const inside = [...members.map(known), ...(withApp && installed ? [app.botUser] : [])]
    const made = addChannel(slack, { ...channel, kind, creator: founder, members: inside })
    for (const { from, text } of messages) addMessage(slack, made, { user: known(from), text })
  }
  if (!installed) return
  const { bot, user } = app.manifest.oauth_config.scopes
  install(slack, { by: founder, scopes: bot, userScopes: user })
}
