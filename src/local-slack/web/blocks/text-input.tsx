import type { EmailInput, NumberInput, PlainTextInput, RichTextInput, URLInput } from '@slack/types'
import type { ChangeEvent, KeyboardEvent } from 'react'
import { plainText } from '../words/text-object.tsx'
import type { Which } from './any-element.tsx'
import { labelling, useField } from './field.tsx'
import { asText } from './held.ts'
import { usePlace } from './place.tsx'

type Element = PlainTextInput | EmailInput | URLInput | NumberInput | RichTextInput

const KINDS = { email_text_input: 'email', url_text_input: 'url', number_input: 'text' } as const

export function TextInput({ element, which }: { element: Element; which: Which }) {
  const { typed, type, press } = usePlace()
  const field = useField()
  const held = typed[which.block_id]?.[which.action_id]
  const value = held === undefined ? initialOf(element) : asText(held)
  const tellsOn = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed']
  const multiline = element.type === 'rich_text_input' || ('multiline' in element && element.multiline)
  const tell = (chosen: string) => press({ ...which, chosen: chosen || null })
  const shared = {
    id: field.inputId,
    value,
    placeholder: element.placeholder && plainText(element.placeholder),
    'data-autofocus': element.focus_on_load,
    ...labelling(field, element.placeholder?.text ?? 'Text'),
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      type(which, target.value || null)
      if (field.dispatches && tellsOn.includes('on_character_entered')) tell(target.value)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
      if (!field.dispatches || !tellsOn.includes('on_enter_pressed') || multiline) return
      event.preventDefault()
      tell(value)
    },
  }
  const long = 'max_length' in element && element.max_length ? element.max_length : undefined
  const over = long && value.length > long
  return (
    <>
      {multiline ? (
        <textarea {...shared} rows={5} />
      ) : (
        <input
          {...shared}
          type={element.type in KINDS ? KINDS[element.type as keyof typeof KINDS] : 'text'}
          inputMode={element.type === 'number_input' ? 'decimal' : undefined}
        />
      )}
      {long && value.length > long * 0.8 && (
        <small className={over ? 'field-error' : 'hint'}>{long - value.length} characters left</small>
      )}
    </>
  )
}

function initialOf(element: Element): string {
  const { initial_value } = element
  if (typeof initial_value === 'string') return initial_value
  if (!initial_value || element.type !== 'rich_text_input') return ''
  // What is written here is plain; of a rich text only its words come in.
  return initial_value.elements
    .flatMap((part) => part.elements.flatMap((one) => ('elements' in one ? one.elements : [one])))
    .map((leaf) => ('text' in leaf ? leaf.text : ''))
    .join('')
}
