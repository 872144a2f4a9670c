import type { InputValue } from '../../blocks/state.ts'
import type { Which } from './any-element.tsx'
import { useField } from './field.tsx'
import { usePlace } from './place.tsx'

/** What an element holds, and how to change that; where the app wants to know, it is told at once. */
export function useHeld(
  which: Which,
  initial: InputValue,
  confirm?: Parameters<ReturnType<typeof usePlace>['press']>[0]['confirm'],
) {
  const { typed, type, press } = usePlace()
  const { dispatches } = useField()
  const held = typed[which.block_id]?.[which.action_id]
  const value = held === undefined ? initial : held
  return {
    value,
    set: (chosen: InputValue) => {
      if (dispatches) press({ ...which, chosen, confirm })
      else type(which, chosen)
    },
  }
}

export const asList = (typed: InputValue): string[] => (Array.isArray(typed) ? typed : typed ? [typed] : [])
export const asText = (typed: InputValue): string => (Array.isArray(typed) ? (typed[0] ?? '') : (typed ?? ''))
