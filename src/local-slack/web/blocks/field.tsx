import { createContext, useContext } from 'react'

/** What an element takes from the input block that it stands in, if it does. */
export type Field = {
  label: string
  labelId?: string
  inputId?: string
  describedBy?: string
  invalid: boolean
  /** Whether the app is told of each change. */
  dispatches: boolean
  inInput: boolean
}

const alone: Field = { label: '', invalid: false, dispatches: true, inInput: false }

export const FieldContext = createContext<Field>(alone)

export const useField = () => useContext(FieldContext)

/** How a screen reader is told what an element is for. */
export function labelling({ labelId, describedBy, invalid }: Field, fallback: string) {
  return {
    ...(labelId ? { 'aria-labelledby': labelId } : { 'aria-label': fallback }),
    'aria-describedby': describedBy,
    'aria-invalid': invalid || undefined,
  }
}
