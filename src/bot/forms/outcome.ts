import type { ApiFailure, ApiResult, FieldError } from '../../api/result.ts'
import type { AuditOutcome } from '../slack/tables.ts'
import type { OpenedRecord } from './form-value.ts'

/** The result of a submission, as the user sees it. */
export type Outcome<Result = unknown> =
  /** If `held` is set, the record waits in the outbox until `held.until`. */
  | { kind: 'done'; result: Result; held?: Hold }
  /** Something else has to happen first, as the message explains. */
  | { kind: 'waiting'; message: string }
  | { kind: 'refused'; reason: ApiFailure | Conflict }
  /** The same request may succeed later. */
  | { kind: 'pending'; reason: ApiFailure }

export type Hold = {
  until: Date
  /** The record that is held, if it differs from the submitted one. */
  body?: Record<string, unknown>
  /** The failure to report if the record is still held at `until`, for example because nobody approved it. */
  failure?: { kind: 'unsendable'; details: FieldError[] }
}

export type Conflict = {
  kind: 'conflict'
  message: string
  /** Set if someone else has changed the record and the user may replace the newer version. */
  replacement?: Replacement
}

export type Replacement = {
  /** The version that would be replaced. */
  opened: OpenedRecord
  /** Shown above the user's input. */
  question: string
  submitLabel: string
  /** Shown with the result. */
  overridden: string
}

/** The result of a submission, including submissions that were not sent. */
export type DeliveryOutcome =
  | Outcome
  /** The item waits, because the user's earlier items are sent first. */
  | { kind: 'queued' }
  /** The submission creates several records, one after the other. */
  | { kind: 'split'; count: number; reason: string }
  /** The item waits until its file is uploaded. */
  | { kind: 'uploading' }
  /** The service has done it, but Upnext couldn't store that. The outbox looks the record up. */
  | { kind: 'unrecorded' }
  /** An earlier submission of the same form is on its way. */
  | { kind: 'in progress' }
  /** An earlier submission of the same form is done, and the user has been notified. */
  | { kind: 'repeated' }

export function toOutcome<Result>(result: ApiResult<Result>): Outcome<Result> {
  switch (result.kind) {
    case 'ok':
      return { kind: 'done', result: result.data }
    case 'rate-limited':
    case 'unreachable':
    case 'server-error':
    case 'unclear':
      return { kind: 'pending', reason: result }
    default:
      return { kind: 'refused', reason: result }
  }
}

type RefusedOutcome = Extract<Outcome, { kind: 'refused' }>

export const refuseWithMessage = (message: string): RefusedOutcome => ({
  kind: 'refused',
  reason: { kind: 'conflict', message },
})

/** Asks whether to replace a version that someone else has saved since the user opened the form. */
export const refuseOutdated = (
  opened: OpenedRecord,
  etag: string,
  { message, ...copy }: Omit<Replacement, 'opened'> & { message: string },
): RefusedOutcome => ({
  kind: 'refused',
  reason: { kind: 'conflict', message, replacement: { ...copy, opened: { ...opened, etag } } },
})

export const REPLACED_TOO_LATE =
  "The earlier submission was sent before you saved, so your changes weren't applied. See `/upnext outbox`."

export const refuseField = (field: string, msg: string): RefusedOutcome => ({
  kind: 'refused',
  reason: { kind: 'invalid', details: [{ loc: [field], msg }] },
})

/** A request that didn't reach the service had no effect. One without a proper response may have taken effect. */
export function toAuditOutcome(outcome: Outcome): AuditOutcome {
  if (outcome.kind === 'done' || outcome.kind === 'waiting') return 'done'
  return ['unclear', 'server-error'].includes(outcome.reason.kind) ? 'unclear' : 'refused'
}
