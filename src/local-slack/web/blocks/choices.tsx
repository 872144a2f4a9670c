import type { Checkboxes as CheckboxesElement, Option, RadioButtons as RadioElement } from '@slack/types'
import { useId } from 'react'
import { Text } from '../words/text-object.tsx'
import type { Which } from './any-element.tsx'
import { labelling, useField } from './field.tsx'
import { asList, asText, useHeld } from './held.ts'

export function Checkboxes({ element, which }: { element: CheckboxesElement; which: Which }) {
  const initial = (element.initial_options ?? []).map(({ value }) => value ?? '')
  const { value, set } = useHeld(which, initial, element.confirm)
  const held = asList(value)
  const order = element.options.map((option) => option.value ?? '')
  const toggle = (one: string) =>
    set(order.filter((option) => (option === one ? !held.includes(one) : held.includes(option))))
  return (
    <Group options={element.options} kind="checkbox" isOn={(one) => held.includes(one)} choose={toggle} />
  )
}

export function RadioButtons({ element, which }: { element: RadioElement; which: Which }) {
  const { value, set } = useHeld(which, element.initial_option?.value ?? null, element.confirm)
  return <Group options={element.options} kind="radio" isOn={(one) => asText(value) === one} choose={set} />
}

type GroupProps = {
  options: Option[]
  kind: 'checkbox' | 'radio'
  isOn: (value: string) => boolean
  choose: (value: string) => void
}

function Group({ options, kind, isOn, choose }: GroupProps) {
  const field = useField()
  const id = useId()
  const { 'aria-invalid': invalid, ...label } = labelling(field, 'Choices')
  return (
    <div
      role={kind === 'radio' ? 'radiogroup' : 'group'}
      className="choices"
      {...label}
      data-invalid={invalid}
    >
      {options.map(({ text, value = '', description }) => (
        <label key={value}>
          <input type={kind} name={id} checked={isOn(value)} onChange={() => choose(value)} />
          <span>
            <Text text={text} />
            {description && (
              <small>
                <Text text={description} />
              </small>
            )}
          </span>
        </label>
      ))}
    </div>
  )
}
