import type { Confirm } from '@slack/types'
import { createContext, type ReactNode, useContext, useState } from 'react'
import type { AllTyped, Typed } from '../../blocks/state.ts'
import { useSlack } from '../slack.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

export type At = { channel: string; ts: string } | { view: string }

type Which = { block_id: string; action_id: string }
type Pressed = Which & { confirm?: Confirm | undefined; chosen?: Typed }

/** Where blocks stand, with what was filled in there and what can be done. */
export type BlocksPlace = {
  at: At
  typed: AllTyped
  type: (which: Which, value: Typed) => void
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

export function usePlaceState(at: At, errors: Record<string, string> = {}): BlocksPlace {
  const { act } = useSlack()
  const [typed, setTyped] = useState<AllTyped>({})
  const [troubles, setTroubles] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState('')
  const [asked, setAsked] = useState<{ confirm: Confirm; go: () => void }>()

  const send = async ({ block_id, action_id, chosen }: Pressed) => {
    const key = keyOf({ block_id, action_id })
    setTroubles(({ [key]: _gone, ...others }) => others)
    setBusy(key)
    // What was chosen just now is not yet in what was filled in.
    const now =
      chosen === undefined ? typed : { ...typed, [block_id]: { ...typed[block_id], [action_id]: chosen } }
    const result = await act('press', { at, block_id, action_id, chosen, typed: now })
    setBusy('')
    if ('failed' in result) setTroubles((before) => ({ ...before, [key]: result.failed }))
  }

  return {
    at,
    typed,
    errors,
    type: ({ block_id, action_id }, value) =>
      setTyped((before) => ({ ...before, [block_id]: { ...before[block_id], [action_id]: value } })),
    press: (pressed) => {
      if (pressed.confirm) setAsked({ confirm: pressed.confirm, go: () => send(pressed) })
      else void send(pressed)
    },
    trouble: (which) => troubles[keyOf(which)],
    busy: (which) => busy === keyOf(which),
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

const keyOf = ({ block_id, action_id }: Which) => `${block_id} ${action_id}`

type Props = { at: At; children: ReactNode }

/** A message, or the Home, in which blocks stand. */
export function Place({ at, children }: Props) {
  return <PlaceProvider place={usePlaceState(at)}>{children}</PlaceProvider>
}

export function PlaceProvider({ place, children }: { place: BlocksPlace; children: ReactNode }) {
  return (
    <Context value={place}>
      {children}
      {place.asking}
    </Context>
  )
}
