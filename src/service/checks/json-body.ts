import { type Fault, missing } from './fault.ts'
import { findJsonFault } from './json-fault.ts'

type JsonBody = { fields: Record<string, unknown> } | { fault: Fault } | { notText: true }

/** The body as FastAPI takes it: JSON where the content type says so or says nothing, an object in any case. */
export function readJsonBody(contentType: string | undefined, body: Buffer | undefined): JsonBody {
  if (!body?.length) return { fault: missing(['body'], null) }
  const text = decode(body)
  if (text === undefined) return { notText: true }
  if (contentType && !isJson(contentType)) return { fault: notAnObject(text) }
  const parsed = parse(text)
  if ('fault' in parsed) return parsed
  const { json } = parsed
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { fault: notAnObject(json) }
  return { fields: json as Record<string, unknown> }
}

const isJson = (contentType: string) => /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

function parse(text: string): { json: unknown } | { fault: Fault } {
  try {
    return { json: JSON.parse(text) }
  } catch {
    const { position, error } = findJsonFault(text)
    const loc = ['body', position]
    return { fault: { type: 'json_invalid', loc, msg: 'JSON decode error', input: {}, ctx: { error } } }
  }
}

const notAnObject = (input: unknown): Fault => ({
  type: 'model_attributes_type',
  loc: ['body'],
  msg: 'Input should be a valid dictionary or object to extract fields from',
  input,
})
