import type { InputBlock } from '@slack/types'
import { useId } from 'react'
import { plainText } from '../text/text.tsx'
import { BlockElement } from './block-element.tsx'
import { FieldContext } from './field.ts'
import { useSurface } from './surface.tsx'

/** An input block: an element with its label, hint and error. */
export function InputField({ block }: { block: InputBlock }) {
  const { fieldErrors } = useSurface()
  const id = useId()
  const { block_id = '', label, hint, optional, element, dispatch_action = false } = block
  const error = fieldErrors[block_id]
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const field = {
    label: label.text,
    labelId: `${id}-label`,
    inputId: `${id}-input`,
    ...(describedBy && { describedBy }),
    isInvalid: error !== undefined,
    dispatchesActions: dispatch_action,
    isInInputBlock: true,
  }
  // Clicking the label of several checkboxes must not check the first of them.
  const hasSeveralInputs = element.type === 'checkboxes' || element.type === 'radio_buttons'
  return (
    <div className="field" data-invalid={field.isInvalid} data-block={block_id}>
      <label id={field.labelId} htmlFor={hasSeveralInputs ? undefined : field.inputId}>
        {plainText(label)}
        {optional && <span className="optional"> (optional)</span>}
      </label>
      <FieldContext value={field}>
        <BlockElement block_id={block_id} element={element} />
      </FieldContext>
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {plainText(hint)}
        </p>
      )}
    </div>
  )
}
