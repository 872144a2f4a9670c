import type { Datepicker, DateTimepicker, Timepicker } from '@slack/types'
import { useState } from 'react'
import { useClient } from '../client.tsx'
import { secondsToWallClock, wallClockToSeconds } from '../date-time.ts'
import { plainText } from '../text/text.tsx'
import { fieldAriaProps, toText, useField, useFieldValue } from './field.ts'
import type { ElementId } from './surface.tsx'

type Props<Element> = { element: Element; elementId: ElementId }

export function DatePicker({ element, elementId }: Props<Datepicker>) {
  const { value, setValue } = useFieldValue(elementId, element.initial_date ?? null, element.confirm)
  return (
    <DateTimeInput type="date" value={toText(value)} onChange={setValue} label={labelOf(element, 'Date')} />
  )
}

export function TimePicker({ element, elementId }: Props<Timepicker>) {
  const { value, setValue } = useFieldValue(elementId, element.initial_time ?? null, element.confirm)
  return (
    <>
      <DateTimeInput type="time" value={toText(value)} onChange={setValue} label={labelOf(element, 'Time')} />
      {element.timezone && <small className="time-zone">{element.timezone}</small>}
    </>
  )
}

/** The user picks a local time; the app receives seconds since 1970. */
export function DateTimePicker({ element, elementId }: Props<DateTimepicker>) {
  const { timeZone } = useClient()
  const initialValue = element.initial_date_time ? String(element.initial_date_time) : null
  const { value, setValue } = useFieldValue(elementId, initialValue, element.confirm)
  const seconds = Number(toText(value))
  return (
    <>
      <DateTimeInput
        type="datetime-local"
        value={seconds ? secondsToWallClock(seconds, timeZone) : ''}
        onChange={(wallClock) => setValue(wallClock ? String(wallClockToSeconds(wallClock, timeZone)) : null)}
        label="Date and time"
      />
      <small className="time-zone">{timeZone}</small>
    </>
  )
}

const labelOf = ({ placeholder }: Datepicker | Timepicker, fallback: string) =>
  placeholder ? plainText(placeholder) : fallback

type DateTimeInputProps = {
  type: 'date' | 'time' | 'datetime-local'
  value: string
  onChange: (value: string | null) => void
  label: string
}

/** While the user types the year 2026, the input reports the years 0002, 0020 and 0202. */
const hasCompleteYear = (value: string) => !/^\d{4,6}-/.test(value) || /^[1-9]\d{3}-/.test(value)

function DateTimeInput({ type, value, onChange, label }: DateTimeInputProps) {
  const field = useField()
  const [editedValue, setEditedValue] = useState<string>()
  return (
    <input
      type={type}
      id={field.inputId}
      value={editedValue ?? value}
      {...fieldAriaProps(field, label)}
      onChange={({ target }) => {
        setEditedValue(target.value)
        if (target.value && hasCompleteYear(target.value)) onChange(target.value)
      }}
      onBlur={() => {
        // The input is also empty while a date is incomplete, so only leaving it empty clears the value.
        if (editedValue === '' && value) onChange(null)
        setEditedValue(undefined)
      }}
    />
  )
}
