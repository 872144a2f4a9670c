import type { Confirm, KnownBlock } from '@slack/types'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { findElements } from '../../blocks/find-elements.ts'
import type { InputValue, InputValues } from '../../blocks/state.ts'
import { useSlack } from '../slack.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

export type At = { channel: string; ts: string } | { view: string }

type Which = { block_id: string; action_id: string }
type Pressed = Which & {
  confirm?: Confirm | undefined
  chosen?: InputValue
  /** What happens here, before the app is told. */
  first?: () => void
}

/** Where blocks stand, with what was filled in there and what can be done. */
export type BlocksPlace = {
  at: At
  typed: InputValues
  type: (which: Which, value: InputValue) => void
  press: (pressed: Pressed) => void
  /** What went wrong with an element, or undefined. */
  trouble: (which: Which) => string | undefined
  busy: (which: Which) => boolean
  /** By block. */
  errors: Record<string, string>
  asking: ReactNode
}

const Context = createContext<BlocksPlace | undefined>(undefined)

export function usePlace(): BlocksPlace {
  const place = useContext(Context)
  if (!place) throw new Error('These blocks stand nowhere.')
  return place
}

export function usePlaceState(
  at: At,
  blocks: KnownBlock[],
  errors: Record<string, string> = {},
): BlocksPlace {
  const { act } = useSlack()
  const [typed, setTyped] = useState<InputValues>({})
  const [troubles, setTroubles] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState<string[]>([])
  const [asked, setAsked] = useState<{ confirm: Confirm; go: () => void }>()

  const send = async ({ block_id, action_id, chosen }: Pressed) => {
    const key = keyOf({ block_id, action_id })
    setTroubles(({ [key]: _gone, ...others }) => others)
    setBusy((before) => [...before, key])
    // What was chosen just now is not yet in what was filled in.
    const now =
      chosen === undefined ? typed : { ...typed, [block_id]: { ...typed[block_id], [action_id]: chosen } }
    const result = await act('dispatchAction', {
      container: at,
      block_id,
      action_id,
      value: chosen,
      values: now,
    })
    setBusy((before) => before.filter((one) => one !== key))
    if ('error' in result) setTroubles((before) => ({ ...before, [key]: result.error }))
  }

  const type: BlocksPlace['type'] = ({ block_id, action_id }, value) =>
    setTyped((before) => ({ ...before, [block_id]: { ...before[block_id], [action_id]: value } }))
  useForgetting(blocks, setTyped)

  return {
    at,
    typed,
    errors,
    type,
    press: (pressed) => {
      const go = () => {
        // Only now: what was denied was not chosen.
        if (pressed.chosen !== undefined) type(pressed, pressed.chosen)
        pressed.first?.()
        void send(pressed)
      }
      if (pressed.confirm) setAsked({ confirm: pressed.confirm, go })
      else go()
    },
    trouble: (which) => troubles[keyOf(which)],
    busy: (which) => busy.includes(keyOf(which)),
    asking: asked && (
      <ConfirmDialog
        confirm={asked.confirm}
        answer={(yes) => {
          setAsked(undefined)
          if (yes) asked.go()
        }}
      />
    ),
  }
}

/** Where the app puts other elements, what was filled into those before goes with them. */
function useForgetting(
  blocks: KnownBlock[],
  setTyped: (change: (before: InputValues) => InputValues) => void,
) {
  const known = useRef<Map<string, string>>(undefined)
  useEffect(() => {
    const before = known.current
    const now = new Map(
      findElements(blocks).map(({ block_id, element }) => [
        keyOf({ block_id, action_id: element.action_id }),
        element.type,
      ]),
    )
    known.current = now
    if (!before) return
    setTyped((typed) =>
      Object.fromEntries(
        Object.entries(typed).map(([block_id, entries]) => [
          block_id,
          Object.fromEntries(
            Object.entries(entries).filter(([action_id]) => {
              const key = keyOf({ block_id, action_id })
              return now.has(key) && now.get(key) === before.get(key)
            }),
          ),
        ]),
      ),
    )
  }, [blocks, setTyped])
}

const keyOf = ({ block_id, action_id }: Which) => `${block_id} ${action_id}`

type Props = { at: At; blocks: KnownBlock[]; children: ReactNode }

/** A message, or the Home, in which blocks stand. */
export function Place({ at, blocks, children }: Props) {
  return <PlaceProvider place={usePlaceState(at, blocks)}>{children}</PlaceProvider>
}

export function PlaceProvider({ place, children }: { place: BlocksPlace; children: ReactNode }) {
  return (
    <Context value={place}>
      {children}
      {place.asking}
    </Context>
  )
}
