import type { Datepicker, DateTimepicker, Timepicker } from '@slack/types'
import { useState } from 'react'
import { secondsOf, wallOf } from '../moments.ts'
import { useSlack } from '../slack.tsx'
import { plainText } from '../words/text-object.tsx'
import type { Which } from './any-element.tsx'
import { labelling, useField } from './field.tsx'
import { asText, useHeld } from './held.ts'

type Props<Element> = { element: Element; which: Which }

export function DatePicker({ element, which }: Props<Datepicker>) {
  const { value, set } = useHeld(which, element.initial_date ?? null, element.confirm)
  return <Picker kind="date" value={asText(value)} set={set} name={nameOf(element, 'Date')} />
}

export function TimePicker({ element, which }: Props<Timepicker>) {
  const { value, set } = useHeld(which, element.initial_time ?? null, element.confirm)
  return (
    <>
      <Picker kind="time" value={asText(value)} set={set} name={nameOf(element, 'Time')} />
      {element.timezone && <small className="zone">{element.timezone}</small>}
    </>
  )
}

/** What is picked is a moment: it is shown, and read, in the reader's zone. */
export function DateTimePicker({ element, which }: Props<DateTimepicker>) {
  const { zone } = useSlack()
  const initial = element.initial_date_time ? String(element.initial_date_time) : null
  const { value, set } = useHeld(which, initial, element.confirm)
  const seconds = Number(asText(value))
  return (
    <>
      <Picker
        kind="datetime-local"
        value={seconds ? wallOf(seconds, zone) : ''}
        set={(wall) => set(wall ? String(secondsOf(wall, zone)) : null)}
        name="Date and time"
      />
      <small className="zone">{zone}</small>
    </>
  )
}

const nameOf = ({ placeholder }: Datepicker | Timepicker, fallback: string) =>
  placeholder ? plainText(placeholder) : fallback

type PickerProps = {
  kind: 'date' | 'time' | 'datetime-local'
  value: string
  set: (value: string | null) => void
  name: string
}

/** A year that is being typed passes through years that nobody means. */
const isWhole = (value: string) => !/^\d{4,6}-/.test(value) || /^[1-9]\d{3}-/.test(value)

function Picker({ kind, value, set, name }: PickerProps) {
  const field = useField()
  const [typing, setTyping] = useState<string>()
  return (
    <input
      type={kind}
      id={field.inputId}
      value={typing ?? value}
      {...labelling(field, name)}
      onChange={({ target }) => {
        setTyping(target.value)
        if (target.value && isWhole(target.value)) set(target.value)
      }}
      onBlur={() => {
        // Emptied for good, and not on the way to something else.
        if (typing === '' && value) set(null)
        setTyping(undefined)
      }}
    />
  )
}
