// X publishes its rules for counting only as this package, which has had no release since 2020 and depends on
// core-js 2. Only this file imports it, so that another implementation can replace it.
import twitter from 'twitter-text'

/** The length that X limits: a link counts as 23 characters, an emoji or a Chinese character as 2. */
export function measureTweet(text: string): number {
  const { broken, breakCount } = breakLongRuns(text)
  return twitter.parseTweet(broken).weightedLength - breakCount
}

export const countHashtags = (text: string): number =>
  twitter.extractHashtags(breakLongRuns(text).broken).length

/** Longer runs are broken up. No domain is longer than this, and few links are. */
const MAX_RUN_LENGTH = 1000
const LONG_RUN = new RegExp(`\\S{${MAX_RUN_LENGTH + 1},}`, 'gu')
/** Matches one piece of a long run. A link of up to 4,000 characters is one piece. */
const PIECE = new RegExp(
  String.raw`https?:\/\/[!-~]{1,4000}|\S(?:(?!https?:\/\/)\S){0,${MAX_RUN_LENGTH - 1}}`,
  'gu',
)

/** The package's search for links takes quadratic time for a run without spaces, so long runs are broken up. */
function breakLongRuns(text: string): { broken: string; breakCount: number } {
  let breakCount = 0
  const broken = text.replace(LONG_RUN, (run) => {
    const pieces = run.match(PIECE) ?? []
    breakCount += pieces.length - 1
    return pieces.join(' ')
  })
  return { broken, breakCount }
}
