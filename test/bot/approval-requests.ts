import { expect, vi } from 'vitest'
import { type Member, openUpnext } from './workspace.ts'

export const MAX_WAIT = { timeout: 60_000, interval: 20 }

export type Options = Parameters<typeof openUpnext>[0]

/** Mara is an admin in the settings of Upnext. */
export async function openWithAdmin(options: Options = {}) {
  const admins: string[] = []
  const upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, admins, ...options })
  const people = {
    mara: upnext.person('mara'),
    tomas: upnext.person('tomas'),
    yuki: upnext.person('yuki'),
    priya: upnext.person('priya'),
  }
  admins.push(people.mara.userId)
  return { upnext, ...people }
}

export const directMessages = (member: Member) =>
  Object.entries(member.state().messages)
    .filter(([channel]) => channel.startsWith('D'))
    .flatMap(([channel, messages]) => messages.map((message) => ({ ...message, channel })))
export const lastRequest = (member: Member) =>
  directMessages(member).findLast(({ blocks }) =>
    /pprov/.test(JSON.stringify(blocks ?? []).replaceAll(/needs? your approval/g, '')),
  )
export const sees = (member: Member, words: RegExp) =>
  vi.waitFor(() => expect(JSON.stringify(directMessages(member).at(-1) ?? '')).toMatch(words), MAX_WAIT)
/** For a message that others may follow, such as an alert. */
export const hasSeen = (member: Member, words: RegExp) =>
  vi.waitFor(() => expect(JSON.stringify(directMessages(member))).toMatch(words), MAX_WAIT)
export const press = async (member: Member, action_id: string, message = lastRequest(member)) => {
  const block = message?.blocks?.find((one) => JSON.stringify(one).includes(`"${action_id}"`))
  if (!block) throw new Error(`The message has no button ${action_id}.`)
  await member.dispatchAction({
    container: { channel: message?.channel ?? '', ts: message?.ts ?? '' },
    block_id: block.block_id ?? '',
    action_id,
  })
}

export const modalOf = (member: Member): string => JSON.stringify(member.state().views.at(-1)?.blocks)
