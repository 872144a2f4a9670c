import type { WebAPIPlatformError, WebClient } from '@slack/web-api'
import { type Button, buttons, context, type Reply, section } from './reply.ts'

type Place = { user: string; channel: string | undefined }

/** Something that is done: for the person, for the channel where they chose to tell it, and what can be done next. */
export type News = { reply: Reply; forAll?: Reply | undefined; next: Button[] }

/** Where they asked, to them alone; where the bot is not in that channel, as a message to them. */
export async function tellPerson(client: WebClient, { user, channel }: Place, reply: Reply): Promise<void> {
  const told =
    channel && (await client.chat.postEphemeral({ channel, user, ...reply }).catch(() => undefined))
  if (!told) await client.chat.postMessage({ channel: user, ...reply })
}

/** Where the channel cannot be told, the person is told why, with all of the news. */
export async function tellNews(
  client: WebClient,
  { user, channel }: Place,
  { reply, forAll, next }: News,
): Promise<void> {
  const { text, blocks = [] } = reply
  const nextOnes = buttons(...next)
  if (!forAll || !channel)
    return tellPerson(client, { user, channel }, { text, blocks: [...blocks, ...nextOnes] })
  const failure = await client.chat.postMessage({ channel, ...forAll }).then(
    () => undefined,
    (error) => reasonFor(error),
  )
  if (!failure) {
    const known = `<#${channel}> knows of it.`
    return tellPerson(client, { user, channel }, { text: known, blocks: [section(known), ...nextOnes] })
  }
  const why = context(`<#${channel}> was not told: ${failure}`)
  return tellPerson(client, { user, channel: undefined }, { text, blocks: [why, ...blocks, ...nextOnes] })
}

function reasonFor(error: unknown): string {
  const code = (error as Partial<WebAPIPlatformError>).data?.error
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'this app is not in it. `/invite` it there first.'
  return code === 'is_archived'
    ? 'it is archived.'
    : `Slack did not take the message${code ? ` (${code})` : ''}.`
}
