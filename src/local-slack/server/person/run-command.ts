import { z } from 'zod'
import { answerWithMessage } from '../respond.ts'
import { askApp } from '../to-app/ask-app.ts'
import { commandFailed } from '../to-app/failure-words.ts'
import { channelName, interaction } from '../to-app/payloads.ts'
import type { Channel } from '../workspace/channels.ts'
import { addMessage } from '../workspace/messages.ts'
import { makeResponseUrl } from '../workspace/response-urls.ts'
import { makeTrigger } from '../workspace/triggers.ts'
import { deed, done, failed, type Scene } from './deed.ts'
import { invite } from './move-around.ts'
import { findChannel } from './place.ts'
import { tellAlone } from './slackbot.ts'
import { escapeForCommand, escapeText } from './words.ts'

const params = z.object({ channel: z.string(), text: z.string().startsWith('/').max(4000) })

const notValid = (name: string) =>
  `${name} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.`

export const runCommand = deed(params, async ({ slack, judge, desk, params }) => {
  const channel = findChannel(slack, desk, params.channel)
  if (!channel) return failed('There is no such channel.')
  const [, name = '', typed = ''] = /^(\S+)\s*([\s\S]*)$/.exec(params.text) ?? []
  if (name === '/invite') return inviteThem({ slack, judge, desk }, channel, typed)
  const command = slack.app.manifest.features.slash_commands.find((one) => one.command === name)
  if (!command || !slack.app.installation?.scopes.includes('commands')) {
    tellAlone(slack, desk.user, channel, notValid(name))
    return failed(notValid(name))
  }
  const { token, user, team, api_app_id } = interaction(slack, desk.user)
  const carried = await askApp(slack, {
    type: 'slash_commands',
    payload: {
      token,
      team_id: team.id,
      team_domain: team.domain,
      channel_id: channel.id,
      channel_name: channelName(slack, channel),
      user_id: user.id,
      user_name: user.name,
      command: name,
      text: command.should_escape ? escapeForCommand(slack, typed) : typed,
      api_app_id,
      is_enterprise_install: 'false',
      response_url: makeResponseUrl(slack, { for: 'commands', channel: channel.id, user: desk.user }),
      trigger_id: makeTrigger(slack, { desk: desk.id, user: desk.user }),
    },
  })
  if ('failure' in carried) {
    tellAlone(slack, desk.user, channel, commandFailed(name, carried))
    return failed(commandFailed(name, carried))
  }
  // An answer for all to see stands under what it answers.
  if (Object(carried.answer).response_type === 'in_channel')
    addMessage(slack, channel, { user: desk.user, text: escapeText(params.text), commandLine: true })
  const place = { channel: channel.id, user: desk.user }
  const answered = await answerWithMessage({ slack, judge }, place, carried.answer)
  if (!('error' in answered)) return done
  const why = `${name} failed with the error "invalid_command_response"`
  tellAlone(slack, desk.user, channel, why)
  return failed(why)
})

/** Slack's own: what everybody knows for letting an app into a channel. */
async function inviteThem(scene: Scene, channel: Channel, typed: string) {
  const { slack, desk } = scene
  const wanted = typed.trim().replace(/^@/, '').toLowerCase()
  const person = [...slack.people.values()].find(({ handle, name }) =>
    [handle, name].some((one) => one.toLowerCase() === wanted),
  )
  const invited = person
    ? await invite(scene, { channel: channel.id, user: person.id })
    : failed('Write whom you want here, such as "/invite @name".')
  if ('error' in invited) tellAlone(slack, desk.user, channel, invited.error)
  return invited
}
