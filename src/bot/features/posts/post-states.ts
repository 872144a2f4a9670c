import { TO_APPROVE } from '../approvals/approval-store.ts'

/** The status of a post that waits in Upnext. */
export const HELD = 'HELD'

/** A held post is handed over this long before it goes out, so that there is time to fix what the service rejects. */
export const HAND_OVER_LEAD_MS = 15 * 60_000
export const HAND_OVER_MINUTES = HAND_OVER_LEAD_MS / 60_000

/** The status of a post that Upnext has handed over and the service hasn't confirmed yet. */
export const HANDED_OVER = 'HANDED_OVER'

type PostState = {
  /** The entry in the form. Without one, people can't choose the state. */
  choice?: string
  /** The label of the form's submit button. */
  submitLabel?: string
  /** The beginning of the confirmation, before the project. */
  title?: string
  /** Shown after a post's schedule. Without a note, the status itself is shown. */
  note?: string
  /** The post goes out when its time comes. */
  isComing?: boolean
  /** The post waits in Upnext until shortly before its time, and can be changed until then. */
  isWaiting?: boolean
  /** Calendars draw the post in a faint color. */
  isTentative?: boolean
}

const SCHEDULED_STATE: PostState = {
  choice: 'Scheduled post',
  submitLabel: 'Schedule',
  title: 'Scheduled in',
  note: '',
  isComing: true,
}

/** The states of posts, in the order in which the form lists them. */
const POST_STATES: Record<string, PostState> = {
  SCHEDULED: SCHEDULED_STATE,
  [HELD]: {
    choice: `Hold in Upnext until ${HAND_OVER_MINUTES} minutes before`,
    submitLabel: 'Hold post',
    title: 'Held in Upnext for',
    note: 'held in Upnext',
    isComing: true,
    isWaiting: true,
    isTentative: true,
  },
  [TO_APPROVE]: {
    choice: 'Ask for approval first',
    submitLabel: 'Ask for approval',
    title: 'Waiting for approval in',
    note: 'to approve',
    isComing: true,
    isWaiting: true,
    isTentative: true,
  },
  DRAFT: { choice: 'Draft', submitLabel: 'Save draft', title: 'Saved as a draft in', isTentative: true },
  FAILED: { note: 'failed' },
  [HANDED_OVER]: { note: 'on its way to the scheduling service', isComing: true },
}

/** Services also have other states, such as PUBLISHED. A post without a status counts as scheduled. */
export const stateOf = ({ Status }: { Status?: string | undefined }): PostState =>
  Status === undefined ? SCHEDULED_STATE : (POST_STATES[Status] ?? {})

/** The states that people can choose. */
export const STATE_CHOICES: Record<string, string> = Object.fromEntries(
  Object.entries(POST_STATES).flatMap(([status, { choice }]) => (choice ? [[status, choice]] : [])),
)

export const isWaiting = (post: { Status?: string | undefined }): boolean => stateOf(post).isWaiting ?? false

/** The states that people can choose for a post in the service. */
export const SERVICE_STATE_CHOICES = Object.keys(STATE_CHOICES).filter((Status) => !isWaiting({ Status }))
