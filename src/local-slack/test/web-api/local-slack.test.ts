import { openLocalSlack } from '../../index.ts'
import { fixedRuntime } from '../fixed-runtime.ts'
import { MANIFEST } from '../sample-bot/bot.ts'
import { connect } from './connect.ts'
import type { Implementation } from './contract/implementation.ts'
import { describeWebApi } from './contract.ts'

/** Of what Slack sends the app nothing matters here but the trigger in it. */
function triggerIn(body: string): string | undefined {
  const form = new URLSearchParams(body)
  return form.get('trigger_id') ?? JSON.parse(form.get('payload') ?? '{}').trigger_id
}

async function open(): Promise<Implementation> {
  let trigger = ''
  const toTheApp: typeof fetch = async (_address, given) => {
    trigger = triggerIn(String(given?.body)) ?? trigger
    return new Response()
  }
  const slack = await openLocalSlack({
    manifest: MANIFEST,
    runtime: { ...fixedRuntime, fetch: toTheApp },
    requestUrl: 'https://bot.example',
  })
  const mara = slack.openSession('mara')
  const idOf = (wanted: string) => mara.state().channels.find(({ name }) => name === wanted)?.id ?? ''
  const joined = idOf('launch')
  return {
    client: connect(slack.apiUrl, slack.secrets.botToken),
    botUserId: slack.botUserId,
    now: slack.controls.now,
    user: { id: mara.userId, email: 'mara@lantern-street.example' },
    nonMember: slack.openSession('tomas').userId,
    channels: { joined, other: idOf('general'), secret: idOf('press'), hidden: idOf('board') },
    async postAsUser(text) {
      await mara.sendMessage({ channel: joined, text })
      return mara.state().messages[joined]?.at(-1)?.ts ?? ''
    },
    async createTrigger(from) {
      if (from)
        await mara.dispatchAction({
          container: { view: from.view_id },
          block_id: 'buttons',
          action_id: 'more',
        })
      else await mara.runCommand({ channel: joined, text: '/book' })
      return trigger
    },
    close: slack.close,
  }
}

describeWebApi('the local Slack', open, {
  'chat.postMessage adds a rich text block to plain text': 'The page renders plain text by itself',
  'files.info returns whether the file has a public URL': 'The local Slack has no public file URLs',
})
