import { openLocalSlack } from '../../index.ts'
import { fixedRuntime } from '../fixed-runtime.ts'
import { MANIFEST } from '../sample-bot/bot.ts'
import { connect } from './connect.ts'
import type { Opened } from './contract/opened.ts'
import { describeWebApi } from './contract.ts'

/** Of what Slack sends the app nothing matters here but the trigger in it. */
function triggerIn(body: string): string | undefined {
  const form = new URLSearchParams(body)
  return form.get('trigger_id') ?? JSON.parse(form.get('payload') ?? '{}').trigger_id
}

async function open(): Promise<Opened> {
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
    person: { id: mara.userId, email: 'mara@lantern-street.example' },
    outsider: slack.openSession('tomas').userId,
    channels: { joined, other: idOf('general'), secret: idOf('press'), hidden: idOf('board') },
    async say(text) {
      await mara.sendMessage({ channel: joined, text })
      return mara.state().messages[joined]?.at(-1)?.ts ?? ''
    },
    async trigger(from) {
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
  'chat.postMessage makes rich text of mere text':
    'what an app says as text is kept as text, and drawn as such: nothing is lost in between',
  'files.info has an address for the public': 'no file here is for the public, so there is no such address',
})
