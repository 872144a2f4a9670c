import type { ApiFailure, ApiResult } from '../../api/result.ts'

/** What became of a submission, as the user is told. */
export type Outcome =
  /** `isRepeat`: an earlier click on the same form has announced it already. */
  | { kind: 'done'; record: unknown; isRepeat?: boolean }
  | { kind: 'refused'; reason: ApiFailure | { kind: 'conflict'; message: string } }
  /** The outbox takes over. */
  | { kind: 'pending'; reason: ApiFailure | { kind: 'queued' } | { kind: 'repeated' } }

export function toOutcome(result: ApiResult<unknown>): Outcome {
  switch (result.kind) {
    case 'ok':
      return { kind: 'done', record: result.data }
    case 'rate-limited':
    case 'unreachable':
    case 'server-error':
    case 'unclear':
      return { kind: 'pending', reason: result }
    default:
      return { kind: 'refused', reason: result }
  }
}

export const invalidField = (field: string, msg: string): Outcome => ({
  kind: 'refused',
  reason: { kind: 'invalid', details: [{ loc: [field], msg }] },
})
