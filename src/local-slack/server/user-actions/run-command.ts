import { z } from 'zod'
import { postResponse } from '../content/post-response.ts'
import { channelNameForApp, interactionFields } from '../delivery/payloads.ts'
import { describeCommandFailure, sendToApp } from '../delivery/send-to-app.ts'
import type { Channel } from '../workspace/entities.ts'
import { addMessage } from '../workspace/messages.ts'
import { createResponseUrl } from '../workspace/response-urls.ts'
import { createTrigger } from '../workspace/triggers.ts'
import { SLACKBOT_ID } from '../workspace/users.ts'
import { inviteToChannel } from './channels.ts'
import { findVisibleChannel } from './container.ts'
import { escapeText, nameEmoji, toCommandText } from './format-text.ts'
import { type ActionContext, DONE, defineUserAction, failure, findAppRefusal } from './user-action.ts'

const Args = z.object({ channel: z.string(), text: z.string().startsWith('/').max(4000) })

export const runCommand = defineUserAction(Args, async ({ args, ...context }) => {
  const { slack, session } = context
  const channel = findVisibleChannel(slack, session, args.channel)
  if (!channel) return failure("This channel doesn't exist.")
  const failWithMessage = (message: string) => {
    postAsSlackbot(context, channel, message)
    return failure(message)
  }
  const [, name = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(args.text) ?? []
  if (name === '/invite') return runInviteCommand(context, channel, text)
  const refusal = findAppRefusal(context)
  if (refusal) return failWithMessage(refusal)
  const command = slack.app.manifest.features.slash_commands.find(({ command }) => command === name)
  if (!command || !slack.app.installation?.scopes.includes('commands'))
    return failWithMessage(
      `${name} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.`,
    )
  const target = { channel: channel.id, user: session.user }
  const { token, user, team, enterprise, api_app_id } = interactionFields(slack, session.user)
  const result = await sendToApp(slack, {
    type: 'slash_commands',
    payload: {
      token,
      team_id: team.id,
      team_domain: team.domain,
      ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
      channel_id: channel.id,
      channel_name: channelNameForApp(channel),
      user_id: user.id,
      user_name: user.name,
      command: name,
      text: command.should_escape ? toCommandText(slack, text) : nameEmoji(text),
      api_app_id,
      is_enterprise_install: 'false',
      response_url: createResponseUrl(slack, 'commands', target),
      trigger_id: createTrigger(slack, session),
    },
  })
  if ('failure' in result) return failWithMessage(describeCommandFailure(name, result))
  const { acknowledgement } = result
  // Slack shows the command above a response that everyone sees.
  if (Object(acknowledgement).response_type === 'in_channel')
    addMessage(slack, channel, { user: session.user, text: escapeText(args.text), isCommandEcho: true })
  const error = await postResponse(slack, target, acknowledgement, 'acknowledgement')
  return error ? failWithMessage(`${name} failed with the error "invalid_command_response"`) : DONE
})

/** Slack's own command, which users need to add the app to a channel. */
async function runInviteCommand(context: ActionContext, channel: Channel, text: string) {
  const wantedName = text.trim().replace(/^@/, '').toLowerCase()
  const user = [...context.slack.users.values()].find(({ handle, name }) =>
    [handle, name].some((userName) => userName.toLowerCase() === wantedName),
  )
  const result = user
    ? await inviteToChannel(context, { channel: channel.id, user: user.id })
    : failure('Enter the name of a user, such as "/invite @name".')
  if ('error' in result) postAsSlackbot(context, channel, result.error)
  return result
}

function postAsSlackbot({ slack, session }: ActionContext, channel: Channel, text: string): void {
  addMessage(slack, channel, { user: SLACKBOT_ID, text, visibleTo: session.user })
}
