import type { Detail } from '../../api/outcome.ts'
import type { Form } from './form.ts'
import { PICK } from './form-view.ts'

/** A complaint: the service's, or one of our own. */
export type Wrong = Pick<Detail, 'loc' | 'msg'>

/** By block, and above all of them: what is wrong. */
export type Placed = { errors: Record<string, string>; top: string[] }

/** Leads each complaint to the input that it concerns; what concerns none of the form's goes to the top. */
export function placeErrors(form: Form, details: Wrong[]): Placed {
  const errors: Record<string, string> = {}
  const top: string[] = []
  for (const detail of details) {
    const path = detail.loc.filter((step, index) => index > 0 || step !== 'body')
    const block = blockFor(form, String(path[0] ?? ''))
    const where = path
      .slice(block ? 1 : 0)
      .map((step) => (typeof step === 'number' ? `no. ${step + 1}` : step))
    const said = detail.msg.replace(/^(Value|Assertion) error, /, '').trim()
    const msg = said || 'The scheduling service did not accept this.'
    const message = where.length ? `${where.join(', ')}: ${msg}` : msg
    if (!block) top.push(message)
    // One input may stand for two of the API's fields, and both be found wrong in the same words.
    else if (!errors[block]?.includes(message))
      errors[block] = [errors[block], message].filter(Boolean).join(' ')
  }
  return { errors, top }
}

function blockFor({ fields, pick }: Form, name: string): string | undefined {
  if (pick && name === PICK) return name
  if (Object.hasOwn(fields, name)) return name
  return Object.entries(fields).find(([, { also }]) => also.includes(name))?.[0]
}
