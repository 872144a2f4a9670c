import type { Choice } from '../slack/message-blocks.ts'

/** The content of a form input: text, several values, or a choice together with its label. */
export type FormValue = string | string[] | Choice | undefined
export type FormValues = Record<string, FormValue>

/** The version of a record that a form was opened with, and when the user saw it. */
export type OpenedRecord = {
  project_id: string
  record_id: string
  etag: string
  seen_at: string
  /** Words such as "an hour later" count from this moment. */
  ScheduleDate?: string | undefined
  Timezone?: string | undefined
}
