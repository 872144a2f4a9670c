import type { EmailInput, NumberInput, PlainTextInput, RichTextInput, URLInput } from '@slack/types'
import type { ChangeEvent, KeyboardEvent } from 'react'
import { plainText } from '../text/text.tsx'
import { fieldAriaProps, toText, useField } from './field.ts'
import { type ElementId, useSurface } from './surface.tsx'

type Element = PlainTextInput | EmailInput | URLInput | NumberInput | RichTextInput

const INPUT_TYPES: Partial<Record<Element['type'], string>> = {
  email_text_input: 'email',
  url_text_input: 'url',
}

/** The counter appears once this share of the maximum length is used. */
const COUNTER_THRESHOLD = 0.8

export function TextInput({ element, elementId }: { element: Element; elementId: ElementId }) {
  const { values, setValue, sendAction } = useSurface()
  const field = useField()
  const enteredValue = values[elementId.block_id]?.[elementId.action_id]
  const text = enteredValue === undefined ? initialText(element) : toText(enteredValue)
  const isMultiline = element.type === 'rich_text_input' || ('multiline' in element && element.multiline)
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed']
  const triggersOn = (event: (typeof triggers)[number]) => field.dispatchesActions && triggers.includes(event)
  const inputProps = {
    id: field.inputId,
    // Arabic and Hebrew begin on the right.
    dir: 'auto',
    value: text,
    placeholder: element.placeholder && plainText(element.placeholder),
    'data-autofocus': element.focus_on_load,
    ...fieldAriaProps(field, element.placeholder?.text ?? 'Text'),
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setValue(elementId, target.value || null)
      if (triggersOn('on_character_entered')) sendAction({ ...elementId, value: target.value || null })
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
      if (isMultiline || !triggersOn('on_enter_pressed')) return
      // Enter sends the action and must not submit the form.
      event.preventDefault()
      sendAction({ ...elementId, value: text || null })
    },
  }
  return (
    <>
      {isMultiline ? (
        <textarea {...inputProps} rows={5} />
      ) : (
        <input
          {...inputProps}
          type={INPUT_TYPES[element.type] ?? 'text'}
          inputMode={element.type === 'number_input' ? 'decimal' : undefined}
        />
      )}
      {'max_length' in element && element.max_length && (
        <CharacterCounter length={text.length} maxLength={element.max_length} />
      )}
    </>
  )
}

function CharacterCounter({ length, maxLength }: { length: number; maxLength: number }) {
  if (length <= maxLength * COUNTER_THRESHOLD) return null
  const count = Math.abs(maxLength - length)
  const characters = count === 1 ? 'character' : 'characters'
  if (length > maxLength)
    return (
      <small className="field-error">
        {count} {characters} over
      </small>
    )
  return (
    <small className="hint">
      {count} {characters} left
    </small>
  )
}

function initialText(element: Element): string {
  const { initial_value } = element
  if (typeof initial_value === 'string') return initial_value
  if (!initial_value || element.type !== 'rich_text_input') return ''
  // This page edits rich text as plain text, so the styles of the initial value are lost.
  return initial_value.elements
    .flatMap((block) => block.elements.flatMap((part) => ('elements' in part ? part.elements : [part])))
    .map((part) => ('text' in part ? part.text : ''))
    .join('')
}
