// X publishes the rules by which it counts only as this package, which has had no release since 2020 and depends on
// core-js 2. Only this file imports it, so that another implementation can replace it.
import twitter from 'twitter-text'

/** The length by which X limits a post: a link counts as 23 characters, an emoji or a Chinese character as 2. */
export const measureTweet = (text: string): number =>
  twitter.parseTweet(withoutEndlessDomains(text)).weightedLength

export const countHashtags = (text: string): number =>
  twitter.extractHashtags(withoutEndlessDomains(text)).length

/** A host name has at most 253 characters, so every second one could be a dot, hyphen or underscore. */
const MAX_SEPARATORS = 126

/**
 * The time that the package takes to find links grows with the square of the separators in a domain. So a text without
 * spaces that has more of them than any domain loses its dots. A comma counts as much as a dot.
 */
const withoutEndlessDomains = (text: string): string =>
  text.replace(/[^\s/?:]{254,}/g, (run) =>
    run.split(/[._-]/).length - 1 > MAX_SEPARATORS ? run.replaceAll('.', ',') : run,
  )
