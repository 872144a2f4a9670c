import { App, LogLevel } from '@slack/bolt'

/** The baseline: a Bolt app that only acknowledges a command and opens a view. */
const [, , port = '', slackApiUrl = '', signingSecret = ''] = process.argv

const app = new App({
  token: 'xoxb-bench',
  signingSecret,
  clientOptions: { slackApiUrl },
  logLevel: LogLevel.ERROR,
})

app.command('/schedule-post', async ({ ack, client, command: { trigger_id } }) => {
  await ack()
  await client.views.open({
    trigger_id,
    view: {
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
    },
  })
})

await app.start({ host: '127.0.0.1', port: Number(port) })
console.log('ready')
