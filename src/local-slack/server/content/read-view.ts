import { fillDefaults, findElements } from '../../blocks/find-elements.ts'
import type { Validation, ValidView } from '../../blocks/validate-blocks.ts'
import type { Slack } from '../workspace/slack.ts'
import { isExternalIdTaken } from '../workspace/views.ts'
import { findUnreadyFiles } from './check-images.ts'

/** Validates and completes a view. A view may keep the external_id of the view that it replaces. */
export function readView(
  slack: Slack,
  view: unknown,
  { type, replacedViewId }: { type: 'modal' | 'home'; replacedViewId?: string | undefined },
): Validation<ValidView> {
  const result = slack.blockValidator.validateView(view, type)
  if ('error' in result) return result
  const { external_id, blocks } = result.valid
  const hasFileInput = findElements(blocks).some(({ element }) => element.type === 'file_input')
  if (hasFileInput && !slack.app.installation?.scopes.includes('files:read'))
    return { error: 'missing_scope', messages: ['file_input needs the scope files:read'] }
  const imageProblems = findUnreadyFiles(slack, blocks, '/view/blocks')
  if (imageProblems.length) return { error: 'invalid_arguments', messages: imageProblems }
  if (external_id && isExternalIdTaken(slack, external_id, replacedViewId))
    return { error: 'duplicate_external_id', messages: [] }
  return { valid: fillDefaults(result.valid, slack.ids.short) }
}
