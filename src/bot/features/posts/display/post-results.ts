import type { PlatformResult } from '../../../../api/field-readers.ts'
import type { Post } from '../../../../api/records.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import { escapeText } from '../../../slack/message-blocks.ts'

/** The results on the platforms that have an account. */
export const connectedResults = ({ Results = [] }: Pick<Post, 'Results'>): PlatformResult[] =>
  Results.filter(({ State }) => State !== 'NOT_CONNECTED')

/** The platforms without an account, where the post is only marked as published. */
export const unconnectedResults = ({ Results = [] }: Pick<Post, 'Results'>): PlatformResult[] =>
  Results.filter(({ State }) => State === 'NOT_CONNECTED')

export const isPublishing = (post: Post): boolean =>
  connectedResults(post).some(({ State }) => State === 'PUBLISHING')

/** When publishing last began, among the platforms where it hasn't finished. */
export function publishingSince(post: Post): Date | undefined {
  const dates = connectedResults(post).flatMap(({ State, At }) => (State === 'PUBLISHING' && At ? [At] : []))
  const latest = dates.sort().at(-1)
  return latest === undefined || Number.isNaN(Date.parse(latest)) ? undefined : new Date(latest)
}

export const failedResults = (post: Post): PlatformResult[] =>
  connectedResults(post).filter(({ State }) => State === 'FAILED')

/** The platforms where the post may or may not be published, so someone has to check. */
export const unknownResults = (post: Post): PlatformResult[] =>
  connectedResults(post).filter(({ State }) => State === 'UNKNOWN')

export const problemResults = (post: Post): PlatformResult[] => [
  ...failedResults(post),
  ...unknownResults(post),
]

export const accountLabel = (platform: string, account: string | undefined): string =>
  account ? `${platformName(platform)} (${account})` : platformName(platform)

/** Whether the post has the status PUBLISHED although no account published it, because none is connected. */
export const isOnlyMarkedAsPublished = (post: Post): boolean =>
  post.Status === 'PUBLISHED' && Boolean(post.Results?.length) && !connectedResults(post).length

/** "<https://x.com/1|X> · LinkedIn · Telegram failed: chat not found". Empty if no platform has an account. */
export const describeResults = (post: Post): string =>
  connectedResults(post).length ? (post.Results ?? []).map(describeResult).join(' · ') : ''

function describeResult({ Platform, State, Link, Error: error }: PlatformResult): string {
  const name = escapeText(platformName(Platform))
  const reason = error ? `: ${escapeText(error)}` : ''
  if (State === 'NOT_CONNECTED') return `${name} isn't connected`
  if (State === 'FAILED') return `${name} failed${reason}`
  if (State === 'UNKNOWN') return `may already be on ${name}${reason}`
  if (State === 'PUBLISHING') return `being published on ${name}${reason}`
  return Link && isSafeLink(Link) ? `<${Link}|${name}>` : name
}

/** These characters would end the link in Slack's markup. */
const isSafeLink = (link: string): boolean => /^https?:\/\/[^\s<>|]+$/.test(link)
