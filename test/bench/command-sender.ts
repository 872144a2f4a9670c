import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'

export type Acknowledgment = { sentAt: number; ms: number; isRefused: boolean }

type Options = { port: number; slackUrl: string; signingSecret: string }

const USERS = 500

/**
 * Returns a function that sends a command, signed as Slack signs it. It resolves with the acknowledgment, or undefined if
 * there was none.
 */
export function createCommandSender({ port, slackUrl, signingSecret }: Options) {
  const agent = new Agent({ keepAlive: true, maxSockets: 900 })
  return (trigger_id: string, user: number): Promise<Acknowledgment | undefined> => {
    const body = new URLSearchParams({
      command: '/schedule-post',
      text: 'Launch day! tomorrow 9am on LinkedIn and X',
      ...{ team_id: 'T1', user_id: `U${user % USERS}`, channel_id: 'C1', channel_name: 'launch' },
      ...{ response_url: `${slackUrl}respond`, trigger_id },
    }).toString()
    const timestamp = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': `v0=${signature}`,
    }
    const sentAt = performance.now()
    return new Promise((resolve) => {
      const target = { host: '127.0.0.1', port, path: '/slack/events', method: 'POST' }
      request({ ...target, agent, headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => {
          const ms = performance.now() - sentAt
          const isRefused = text.includes('very busy')
          resolve(response.statusCode === 200 ? { sentAt, ms, isRefused } : undefined)
        })
      })
        .on('error', () => resolve(undefined))
        .end(body)
    })
  }
}
