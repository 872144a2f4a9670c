import { App, LogLevel } from '@slack/bolt'
import type { View } from '@slack/types'

const FORM_WITH_ONE_FIELD: View = {
  type: 'modal',
  title: { type: 'plain_text', text: 'Schedule a post' },
  submit: { type: 'plain_text', text: 'Schedule' },
  blocks: [
    {
      type: 'input',
      block_id: 'Content',
      label: { type: 'plain_text', text: 'Content' },
      element: { type: 'plain_text_input', action_id: 'Content', multiline: true },
    },
  ],
}

/** The baseline: a Bolt app that only acknowledges a command and opens a view, which the last argument may replace. */
const [, , port = '', slackApiUrl = '', signingSecret = '', givenView] = process.argv
const view: View = givenView ? JSON.parse(givenView) : FORM_WITH_ONE_FIELD

const app = new App({
  token: 'xoxb-bench',
  signingSecret,
  clientOptions: { slackApiUrl },
  logLevel: LogLevel.ERROR,
})

app.command('/schedule-post', async ({ ack, client, command: { trigger_id } }) => {
  await ack()
  await client.views.open({ trigger_id, view })
})

await app.start({ host: '127.0.0.1', port: Number(port) })
console.log('ready')
