import type { Fault } from './checks/fault.ts'

/** What an operation answers: data in the contract's envelope, or why not, as FastAPI would put it. */
export type Answer =
  | { status: 200 | 201; data: unknown }
  | { status: 401 | 403 | 404 | 400; detail: string }
  | { status: 422; detail: Fault[] }

export const ok = (data: unknown): Answer => ({ status: 200, data })
export const created = (data: unknown): Answer => ({ status: 201, data })
export const unauthorized = (detail: string): Answer => ({ status: 401, detail })
export const forbidden = (detail: string): Answer => ({ status: 403, detail })
export const notFound = (detail = 'Not Found'): Answer => ({ status: 404, detail })
export const invalid = (faults: Fault[]): Answer => ({ status: 422, detail: faults })
