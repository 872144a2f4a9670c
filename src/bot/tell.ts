import { ErrorCode, type WebAPIPlatformError, type WebClient } from '@slack/web-api'
import { context, type Reply } from './reply.ts'

type Place = { user: string; channel: string | undefined }

/** Where they asked, to them alone; where the bot is not in that channel, as a message to them. */
export async function tellPerson(client: WebClient, { user, channel }: Place, reply: Reply): Promise<void> {
  const told =
    channel && (await client.chat.postEphemeral({ channel, user, ...reply }).catch(() => undefined))
  if (!told) await client.chat.postMessage({ channel: user, ...reply })
}

/** All in the channel; where the bot may not speak there, the person, with what to do about it. */
export async function tellChannel(
  client: WebClient,
  { user, channel }: { user: string; channel: string },
  { forAll, reply }: { forAll: Reply; reply: Reply },
): Promise<void> {
  try {
    await client.chat.postMessage({ channel, ...forAll })
  } catch (error) {
    const { code, data } = error as Partial<WebAPIPlatformError>
    const isOutside = ['not_in_channel', 'channel_not_found', 'is_archived'].includes(data?.error ?? '')
    if (code !== ErrorCode.PlatformError || !isOutside) throw error
    const why = context(`<#${channel}> was not told: this app is not in it. \`/invite\` it there first.`)
    await tellPerson(
      client,
      { user, channel: undefined },
      { ...reply, blocks: [why, ...(reply.blocks ?? [])] },
    )
  }
}
