import type { WebAPIPlatformError, WebClient } from '@slack/web-api'
import type { Runtime } from '../runtime.ts'
import { type Button, buttons, context, type Reply, section } from './reply.ts'

type Place = {
  user: string
  channel: string | undefined
  /** For half an hour it leads to where they asked, also where the bot is no member. */
  response_url?: string | undefined
}

/** Something that is done: for the person, for the channel where they chose to tell it, and what can be done next. */
export type News = { reply: Reply; forAll?: Reply | undefined; next: Button[] }

/** How Slack is told. */
type Way = { client: WebClient; fetch: Runtime['fetch'] }

/** Where they asked, to them alone; where that cannot be, as a message to them. */
export async function tellPerson(way: Way, place: Place, reply: Reply): Promise<void> {
  const { client } = way
  const { user, channel } = place
  if (await respondTo(way, place, { ...reply, response_type: 'ephemeral' })) return
  const told =
    channel && (await client.chat.postEphemeral({ channel, user, ...reply }).catch(() => undefined))
  if (!told) await client.chat.postMessage({ channel: user, ...reply })
}

/** Where the channel cannot be told, the person is told why, with all of the news. */
export async function tellNews(way: Way, place: Place, { reply, forAll, next }: News): Promise<void> {
  const { channel } = place
  const { text, blocks = [] } = reply
  const nextOnes = buttons(...next)
  if (!forAll || !channel) return tellPerson(way, place, { text, blocks: [...blocks, ...nextOnes] })
  const failure = await tellChannel(way, place, channel, forAll)
  if (!failure) {
    const known = `<#${channel}> knows of it.`
    return tellPerson(way, place, { text: known, blocks: [section(known), ...nextOnes] })
  }
  const why = context(`<#${channel}> was not told: ${failure}`)
  return tellPerson(way, place, { text, blocks: [why, ...blocks, ...nextOnes] })
}

/** Says why not. */
async function tellChannel(
  way: Way,
  place: Place,
  channel: string,
  reply: Reply,
): Promise<string | undefined> {
  if (await respondTo(way, place, { ...reply, response_type: 'in_channel' })) return undefined
  return way.client.chat.postMessage({ channel, ...reply }).then(
    () => undefined,
    (error) => reasonFor(error),
  )
}

type Response = Reply & { response_type: 'ephemeral' | 'in_channel' }

async function respondTo(
  { fetch: send }: Way,
  { response_url }: Place,
  response: Response,
): Promise<boolean> {
  if (!response_url) return false
  const sent = await send(response_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...response, replace_original: false }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined)
  return sent?.ok ?? false
}

const PATIENCE_MS = 5000

function reasonFor(error: unknown): string {
  const code = (error as Partial<WebAPIPlatformError>).data?.error
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'this app is not in it. `/invite` it there first.'
  return code === 'is_archived'
    ? 'it is archived.'
    : `Slack did not take the message${code ? ` (${code})` : ''}.`
}
