import type { PostBody } from '../../../../api/records.ts'
import type { DatedPost } from '../../../../api/timestamps.ts'
import { addMs } from '../../../../runtime.ts'
import type { Hold } from '../../../forms/outcome.ts'
import { TO_APPROVE } from '../../approvals/approval-store.ts'

/** The status of a post that Upnext holds until shortly before its time. */
export const HELD = 'HELD'

/** A held post is handed over this long before it goes out, so that there is time to fix what the service rejects. */
const HAND_OVER_LEAD_MS = 15 * 60_000
export const HAND_OVER_LEAD_MINUTES = HAND_OVER_LEAD_MS / 60_000

export const handOverTime = (post: DatedPost): Date => addMs(publicationTime(post), -HAND_OVER_LEAD_MS)

export function publicationTime({ ScheduleDate }: DatedPost): Date {
  if (!ScheduleDate) throw new Error("A post without a date can't be held.")
  return new Date(ScheduleDate)
}

export const TOO_SOON_TO_APPROVE = 'This must be approved before its time. Enter a later time.'

/** Why a post isn't sent if it isn't approved in time. */
export const NOT_APPROVED = {
  kind: 'unsendable' as const,
  details: [{ loc: [], msg: "It wasn't approved in time." }],
}

/** The status of a post that Upnext has handed over and the service hasn't confirmed yet. */
export const HANDED_OVER = 'HANDED_OVER'
/** The status of a post that wasn't sent, or may not have been sent, until its author decides what to do with it. */
export const NOT_SENT = 'NOT_SENT'

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
  willGoOut?: boolean
  /** Until when Upnext holds the post, and why it isn't sent if nobody has approved it by then. */
  hold?: (body: PostBody) => Hold
  /** Explains to the author until when the post can be changed. */
  editingNote?: string
  /** Why a post that goes out in `remainingMs` can't have the state. */
  findProblem?: (remainingMs: number) => string | undefined
  /** Calendars draw the post in a faint color. */
  isTentative?: boolean
}

const SCHEDULED_STATE: PostState = {
  choice: 'Scheduled post',
  submitLabel: 'Schedule',
  title: 'Scheduled in',
  note: '',
  willGoOut: true,
}

/** The states of posts, in the order in which the form lists them. */
const POST_STATES: Record<string, PostState> = {
  SCHEDULED: SCHEDULED_STATE,
  [HELD]: {
    choice: `Hold in Upnext until ${HAND_OVER_LEAD_MINUTES} minutes before it goes out`,
    submitLabel: 'Hold post',
    title: 'Held in Upnext for',
    note: 'held in Upnext',
    willGoOut: true,
    isTentative: true,
    hold: (body) => ({ until: handOverTime(body) }),
    editingNote: `Held until ${HAND_OVER_LEAD_MINUTES} minutes before it goes out. You can edit or cancel it until then.`,
    findProblem: (remainingMs) =>
      remainingMs > HAND_OVER_LEAD_MS
        ? undefined
        : `The time is less than ${HAND_OVER_LEAD_MINUTES} minutes away. Pick "Scheduled post", or a later time.`,
  },
  [TO_APPROVE]: {
    choice: 'Ask for approval first',
    submitLabel: 'Ask for approval',
    title: 'Waiting for approval in',
    note: 'waiting for approval',
    willGoOut: true,
    isTentative: true,
    // If nobody has approved the post by its time, it isn't sent.
    hold: (body) => ({ until: publicationTime(body), failure: NOT_APPROVED }),
    editingNote:
      'This post goes out only once it is approved. `/upnext approve` shows who decides. You can edit, move or cancel it until then.',
  },
  DRAFT: { choice: 'Draft', submitLabel: 'Save draft', title: 'Saved as a draft in', isTentative: true },
  FAILED: { note: 'failed' },
  [HANDED_OVER]: { note: 'on its way to the scheduling service', willGoOut: true },
  [NOT_SENT]: { note: 'not sent' },
}

/** A service may also report other statuses, such as PUBLISHED. A post without a status counts as scheduled. */
export const stateOf = ({ Status }: { Status?: string | undefined }): PostState =>
  Status === undefined ? SCHEDULED_STATE : (POST_STATES[Status] ?? {})

export const STATE_CHOICES: Record<string, string> = Object.fromEntries(
  Object.entries(POST_STATES).flatMap(([status, { choice }]) => (choice ? [[status, choice]] : [])),
)

export const isHeld = (post: { Status?: string | undefined }): boolean => stateOf(post).hold !== undefined

/** The states that people can choose for a post in the service. */
export const SERVICE_STATE_CHOICES = Object.keys(STATE_CHOICES).filter((Status) => !isHeld({ Status }))
