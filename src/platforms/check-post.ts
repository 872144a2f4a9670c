import twitter from 'twitter-text'
import { LIMITS } from './limits.ts'
import { type Platform, platformName } from './words.ts'

type Draft = { Content: string; Media: string | undefined; Platforms: Platform[] }

export type Checked = {
  /** What no platform lets through, by the field that it concerns. */
  breaches: { Content: string[]; Media: string[] }
  /** What may go wrong, and may go well. */
  doubts: string[]
  /** How much each of the platforms has left. */
  room: string[]
}

/** Holds a post against what its platforms take. */
export function checkPost({ Content, Media, Platforms }: Draft): Checked {
  const checked: Checked = { breaches: { Content: [], Media: [] }, doubts: [], room: [] }
  const { breaches, doubts, room } = checked
  for (const platform of Platforms) {
    const name = platformName(platform)
    const limit = LIMITS[platform]
    const beside = Media ? limit.withMedia : undefined
    const most = beside ?? limit.most
    const certain = beside ?? limit.certain
    const { length, doubtful } = measure(platform, Content)
    const left = most - doubtful
    room.push(`${name}: ${left < 0 ? `${grouped(-left)} over` : `${grouped(left)} left`} of ${grouped(most)}`)
    const over = (by: number) =>
      `${name} takes ${grouped(most)} characters${beside ? ' beside media' : ''}, this is ${grouped(by)} too many`
    if (length > certain) breaches.Content.push(`${over(length - most)}.`)
    else if (left < 0) doubts.push(`${over(-left)}${limit.disputed ? `; ${limit.disputed}` : ''}.`)
    const hashtags = twitter.extractHashtags(Content).length
    if (limit.hashtags && hashtags > limit.hashtags)
      breaches.Content.push(`${name} takes ${limit.hashtags} hashtags, these are ${hashtags}.`)
    if (limit.media && !Media) breaches.Media.push(`${name} takes no post without ${limit.media}.`)
  }
  return checked
}

type Measured = { length: number; doubtful: number }

/** As long as it is at least, and as long as it may be where sources disagree on how to count. */
function measure(platform: Platform, content: string): Measured {
  const length = platform === 'X' ? twitter.parseTweet(content).weightedLength : [...content].length
  if (platform !== 'THREADS') return { length, doubtful: length }
  // Some count an emoji by its bytes there.
  const emoji = content.match(/\p{Extended_Pictographic}/gu) ?? []
  return { length, doubtful: length + emoji.reduce((sum, one) => sum + Buffer.byteLength(one) - 1, 0) }
}

const grouped = (amount: number): string => amount.toLocaleString('en-GB')
