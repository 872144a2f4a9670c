import type { PublisherName, Row } from '../stores/tables.ts'
import type { Platform } from '../values.ts'
import type { Media } from './fetch-media.ts'

/** A post as it goes out on one platform. */
export type Publication = {
  project_id: string
  post_id: string
  platform: Platform
  text: string
  /** Undefined if the first line of the text is the title. */
  title: string | undefined
  media: Media | undefined
  mediaUrl: string | null
  mediaDescription: string | undefined
  date: Date
  /** Identifies this publication to the network, so that it can be found. */
  reference: string
}

type Account = Pick<Row<'account'>, 'platform' | 'name' | 'target' | 'credentials' | 'settings'>

/** `accountProblem` says what an admin has to do before the account can publish again. */
export type Rejection = { error: string; accountProblem?: string }

export type PublishOutcome =
  | { state: 'published'; link?: string | undefined }
  /** The network has taken the post and will publish it. The account's next post waits until `until`. */
  | { state: 'accepted'; until?: Date }
  | ({ state: 'failed' } & Rejection)
  /** Another attempt may succeed. The account waits until `until`. Only idempotent publishers set `mayHaveArrived`. */
  | { state: 'postponed'; error: string; until?: Date; mayHaveArrived?: true }
  /** The account has another target now. Nothing was published. */
  | { state: 'moved'; target: string }
  | { state: 'unknown'; error: string }

export type LookupOutcome =
  | { state: 'published'; link?: string | undefined }
  | { state: 'waiting' }
  /** The network reports an error, but may still publish the post. If it doesn't, `rejection` says why. */
  | { state: 'doubtful'; error: string; rejection?: Rejection }
  | { state: 'absent' }
  | { state: 'unreachable'; error: string }

export type CheckOutcome =
  | { state: 'ok'; name: string; target: string }
  | { state: 'problem'; problem: string }
  | { state: 'unreachable'; error: string }

export type Publisher = {
  /** Posts with the same key are published one at a time, in the order of their dates. */
  queueKeyOf: (account: Row<'account'>) => string
  /** Whether the network limits all accounts of the publisher together. */
  hasSharedLimit?: boolean
  /** Whether a request with the same reference can be repeated without publishing the post twice. */
  isIdempotent?: boolean
  publish: (publication: Publication, account: Account) => Promise<PublishOutcome>
  /** Looks for posts that were accepted, or sent without a response. If this is undefined, a user has to confirm the result. */
  find?: (
    publication: Pick<Publication, 'date' | 'reference' | 'platform'> & {
      /** Also finds other versions of the post, from before or after an edit. */
      matchesAnyVersion?: boolean
    },
  ) => Promise<LookupOutcome>
  check: (account: Account) => Promise<CheckOutcome>
}

/** A publisher is undefined if its settings are missing. */
export type Publishers = Record<PublisherName, Publisher | undefined>
