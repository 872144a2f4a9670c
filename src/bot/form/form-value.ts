import type { PostReference } from '../posts/post-reference.ts'

/** An entry of a select menu: the value it submits and the label it shows. */
export type Choice = { value: string; label: string }

/** What a form input contains: text, several values, or a choice together with its label. */
export type FormValue = string | string[] | Choice | undefined
export type FormValues = Record<string, FormValue>

/** A file that a user added to a form or a message. */
export type SlackFile = {
  id: string
  name: string
  mimetype: string
  size: number
  width?: number
  height?: number
  seconds?: number
}

/** The version of a post that a form was opened with, and when the user saw it. */
export type OpenedPost = PostReference & {
  etag: string
  seen_at: string
  Status?: string | undefined
  ScheduleDate?: string | undefined
  Timezone?: string | undefined
  /** The link of an upload. */
  Media?: string | undefined
}
