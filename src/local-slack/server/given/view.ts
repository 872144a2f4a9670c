import { complete, elementsIn } from '../../blocks/elements-in.ts'
import type { JudgedView, Verdict } from '../../blocks/judge.ts'
import { isTaken } from '../workspace/views.ts'
import { findUnreadyFiles } from './images.ts'
import type { Reading } from './message.ts'

/** Reads and judges a view; `replacing` is the one that it may share its external_id with. */
export function readView(
  { slack, judge }: Reading,
  given: unknown,
  { type, replacing }: { type: 'modal' | 'home'; replacing?: string | undefined },
): Verdict<JudgedView> {
  const judged = judge.view(given, type)
  if ('error' in judged) return judged
  const { external_id, blocks } = judged.passed
  const asksForFiles = elementsIn(blocks).some(({ element }) => element.type === 'file_input')
  if (asksForFiles && !slack.app.installation?.scopes.includes('files:read'))
    return { error: 'missing_scope', messages: ['file_input needs the scope files:read'] }
  const pictures = findUnreadyFiles(slack, blocks, '/view/blocks')
  if (pictures.length) return { error: 'invalid_arguments', messages: pictures }
  if (external_id && isTaken(slack, external_id, replacing))
    return { error: 'duplicate_external_id', messages: [] }
  return { passed: complete(judged.passed, slack.ids.short) }
}
