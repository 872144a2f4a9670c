import type { WebClient } from '@slack/web-api'
import { checkInBackground, type FindProblem } from '../../readiness.ts'
import type { Bot } from './bot.ts'
import { isAccessLost, slackErrorCode } from './slack-errors.ts'

/**
 * Checks whether Slack and the service accept our tokens. An outage of either leaves the bot ready: it still stores what
 * people submit, and otherwise all instances would go out of service together.
 */
export const createTokenChecks = ({ api, runtime }: Bot, client: WebClient): FindProblem[] => [
  checkInBackground(async () => {
    try {
      await client.auth.test()
      return undefined
    } catch (err) {
      if (!isAccessLost(err)) throw err
      return { reason: `Slack rejects the bot's token (${slackErrorCode(err)}). Check SLACK_BOT_TOKEN.`, err }
    }
  }, runtime),
  checkInBackground(async () => {
    const { kind } = await api.projects.list()
    if (kind === 'unauthorized' || kind === 'forbidden')
      return { reason: "The scheduling service rejects the bot's token. Check API_TOKEN." }
    if (kind !== 'ok') throw new Error(`The service answered: ${kind}.`)
    return undefined
  }, runtime),
]
