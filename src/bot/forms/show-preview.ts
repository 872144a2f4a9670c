import type { ViewOutput } from '@slack/bolt'
import type { KnownBlock } from '@slack/types'
import type { ReadingContext } from '../../time/reading.ts'
import type { Actor } from '../slack/actor.ts'
import { messageView, plainText, withoutAccessories } from '../slack/message-blocks.ts'
import { slackErrorCode } from '../slack/slack-errors.ts'
import { readFields } from './field-messages.ts'
import type { Form } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import { inputState } from './form-state.ts'
import { withShownTimes } from './shown-times.ts'

type PreviewedForm = { actor: Actor; view: ViewOutput; metadata: FormMetadata; trigger_id: string }

/** Opens the preview above the form, so that closing it leads back to the form. */
export async function showPreview(
  form: Form,
  { actor, view, metadata, trigger_id }: PreviewedForm,
  context: ReadingContext,
): Promise<void> {
  const shownView = withShownTimes(form, view, metadata)
  const { body } = readFields(form, (name) => inputState(shownView, name), context)
  const blocks = form.preview?.(body, context) ?? []
  const push = (...shown: KnownBlock[]) => {
    const preview = { ...messageView('Preview', ...shown), close: plainText('Back') }
    return actor.client.views.push({ trigger_id, view: preview })
  }
  await push(...blocks).catch((error: unknown) => {
    // Slack rejects the whole view if it can't show the file yet.
    if (slackErrorCode(error) !== 'invalid_arguments') throw error
    return push(...withoutAccessories(blocks, 'image'))
  })
}
