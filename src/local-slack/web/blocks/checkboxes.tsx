import type { Checkboxes as CheckboxesElement, Option, RadioButtons as RadioElement } from '@slack/types'
import { useId } from 'react'
import { Text } from '../text/text.tsx'
import { fieldAriaProps, toList, toText, useField, useFieldValue } from './field.ts'
import type { ElementId } from './surface.tsx'

type CheckboxesProps = { element: CheckboxesElement; elementId: ElementId }

export function Checkboxes({ element, elementId }: CheckboxesProps) {
  const initialValues = (element.initial_options ?? []).map(({ value }) => value ?? '')
  const { value, setValue } = useFieldValue(elementId, initialValues, element.confirm)
  const checked = toList(value)
  const toggle = (toggled: string) =>
    // Slack reports the values in the order of the options.
    setValue(
      element.options
        .map((option) => option.value ?? '')
        .filter((option) => (option === toggled ? !checked.includes(option) : checked.includes(option))),
    )
  return (
    <OptionList
      options={element.options}
      type="checkbox"
      isChecked={(option) => checked.includes(option)}
      onSelect={toggle}
    />
  )
}

export function RadioButtons({ element, elementId }: { element: RadioElement; elementId: ElementId }) {
  const initialValue = element.initial_option?.value ?? null
  const { value, setValue } = useFieldValue(elementId, initialValue, element.confirm)
  return (
    <OptionList
      options={element.options}
      type="radio"
      isChecked={(option) => toText(value) === option}
      onSelect={setValue}
    />
  )
}

type OptionListProps = {
  options: Option[]
  type: 'checkbox' | 'radio'
  isChecked: (value: string) => boolean
  onSelect: (value: string) => void
}

function OptionList({ options, type, isChecked, onSelect }: OptionListProps) {
  const name = useId()
  const { 'aria-invalid': isInvalid, ...labelProps } = fieldAriaProps(useField(), 'Options')
  return (
    <div
      role={type === 'radio' ? 'radiogroup' : 'group'}
      className="option-list"
      {...labelProps}
      data-invalid={isInvalid}
    >
      {options.map(({ text, value = '', description }) => (
        <label key={value}>
          <input type={type} name={name} checked={isChecked(value)} onChange={() => onSelect(value)} />
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
