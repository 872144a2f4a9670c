import type { InputBlock } from '@slack/types'
import { useId } from 'react'
import { plainText } from '../words/text-object.tsx'
import { AnyElement } from './any-element.tsx'
import { FieldContext } from './field.tsx'
import { usePlace } from './place.tsx'

/** An input with its label, its hint and, in red, what is wrong with it. */
export function InputField({ block }: { block: InputBlock }) {
  const { errors } = usePlace()
  const id = useId()
  const { block_id = '', label, hint, optional, element, dispatch_action = false } = block
  const error = errors[block_id]
  // A label that leads to the first of several would choose it.
  const isGroup = element.type === 'checkboxes' || element.type === 'radio_buttons'
  const described = [...(error ? [`${id}-error`] : []), ...(hint ? [`${id}-hint`] : [])].join(' ')
  const field = {
    label: label.text,
    labelId: `${id}-label`,
    inputId: `${id}-input`,
    ...(described && { describedBy: described }),
    invalid: error !== undefined,
    dispatches: dispatch_action,
    inInput: true,
  }
  return (
    <div className="field" data-invalid={error !== undefined} data-block={block_id}>
      <label id={field.labelId} htmlFor={isGroup ? undefined : field.inputId}>
        {plainText(label)}
        {optional && <span className="optional"> (optional)</span>}
      </label>
      <FieldContext value={field}>
        <AnyElement block_id={block_id} element={element} />
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
