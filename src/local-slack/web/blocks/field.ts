import type { Confirm } from '@slack/types'
import { createContext, useContext } from 'react'
import type { InputValue } from '../../blocks/state.ts'
import { type ElementId, useSurface } from './surface.tsx'

/** What an element takes from the input block around it. */
export type Field = {
  label: string
  labelId?: string
  inputId?: string
  describedBy?: string
  isInvalid: boolean
  /** Whether each change sends a block action to the app. */
  dispatchesActions: boolean
  isInInputBlock: boolean
}

const OUTSIDE_INPUT_BLOCK: Field = {
  label: '',
  isInvalid: false,
  dispatchesActions: true,
  isInInputBlock: false,
}

export const FieldContext = createContext<Field>(OUTSIDE_INPUT_BLOCK)

export const useField = () => useContext(FieldContext)

/** Ties an element to its label, hint and error for screen readers. */
export function fieldAriaProps({ labelId, describedBy, isInvalid }: Field, fallbackLabel: string) {
  return {
    'aria-labelledby': labelId,
    'aria-label': labelId ? undefined : fallbackLabel,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid || undefined,
  }
}

/** Returns an element's value and a setter, which also sends a block action if the app asked for one. */
export function useFieldValue(elementId: ElementId, initialValue: InputValue, confirm?: Confirm) {
  const { values, setValue, sendAction } = useSurface()
  const { dispatchesActions } = useField()
  const enteredValue = values[elementId.block_id]?.[elementId.action_id]
  return {
    value: enteredValue === undefined ? initialValue : enteredValue,
    setValue: (value: InputValue) => {
      if (dispatchesActions) sendAction({ ...elementId, value, confirm })
      else setValue(elementId, value)
    },
  }
}

export const toList = (value: InputValue): string[] => (Array.isArray(value) ? value : value ? [value] : [])
export const toText = (value: InputValue): string => toList(value)[0] ?? ''
