import type { Confirm, KnownBlock } from '@slack/types'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { findElements } from '../../blocks/find-elements.ts'
import type { InputValue, InputValues } from '../../blocks/state.ts'
import { useClient } from '../client.tsx'
import { Dialog } from '../dialog.tsx'
import { plainText, Text } from '../text/text.tsx'

/** A surface is what Slack calls a place with blocks: a message, or a view (a modal or the Home tab). */
export type SurfaceId = { channel: string; ts: string } | { view: string }

export type ElementId = { block_id: string; action_id: string }

type ElementAction = ElementId & {
  /** The new value of the element; a button has none. */
  value?: InputValue
  confirm?: Confirm | undefined
  /** Runs after the user has confirmed, and before the app receives the action. */
  onConfirmed?: (() => void) | undefined
}

/** The values that the user entered on a surface, and how its elements change and submit them. */
export type Surface = {
  surfaceId: SurfaceId
  values: InputValues
  setValue: (elementId: ElementId, value: InputValue) => void
  /** Sends a block action to the app. */
  sendAction: (action: ElementAction) => void
  /** Why the element's last action failed. */
  actionError: (elementId: ElementId) => string | undefined
  isBusy: (elementId: ElementId) => boolean
  /** Validation errors of a modal, by block ID. */
  fieldErrors: Record<string, string>
  confirmDialog: ReactNode
}

const SurfaceContext = createContext<Surface | undefined>(undefined)

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext)
  if (!surface) throw new Error('useSurface needs a SurfaceProvider above it.')
  return surface
}

export function useSurfaceState(
  surfaceId: SurfaceId,
  blocks: KnownBlock[],
  fieldErrors: Record<string, string> = {},
): Surface {
  const { runAction } = useClient()
  const [values, setValues] = useState<InputValues>({})
  const [actionErrors, setActionErrors] = useState<Record<string, string>>({})
  const [busyKeys, setBusyKeys] = useState<string[]>([])
  const [confirmation, setConfirmation] = useState<{ confirm: Confirm; onConfirm: () => void }>()
  useDropStaleValues(blocks, setValues)

  const setValue: Surface['setValue'] = (elementId, value) =>
    setValues((current) => withValue(current, elementId, value))

  const send = async ({ block_id, action_id, value }: ElementAction) => {
    const key = elementKey({ block_id, action_id })
    setActionErrors((current) => withoutKey(current, key))
    setBusyKeys((current) => [...current, key])
    // React hasn't applied the new value to `values` yet.
    const newValues = value === undefined ? values : withValue(values, { block_id, action_id }, value)
    const result = await runAction('dispatchAction', {
      container: surfaceId,
      block_id,
      action_id,
      value,
      values: newValues,
    })
    setBusyKeys((current) => current.filter((busyKey) => busyKey !== key))
    if ('error' in result) setActionErrors((current) => ({ ...current, [key]: result.error }))
  }

  return {
    surfaceId,
    values,
    fieldErrors,
    setValue,
    sendAction(action) {
      const { confirm, value } = action
      const onConfirm = () => {
        if (value !== undefined) setValue(action, value)
        action.onConfirmed?.()
        void send(action)
      }
      if (confirm) setConfirmation({ confirm, onConfirm })
      else onConfirm()
    },
    actionError: (elementId) => actionErrors[elementKey(elementId)],
    isBusy: (elementId) => busyKeys.includes(elementKey(elementId)),
    confirmDialog: confirmation && (
      <ConfirmDialog
        confirm={confirmation.confirm}
        onClose={() => setConfirmation(undefined)}
        onConfirm={confirmation.onConfirm}
      />
    ),
  }
}

type SetValues = (update: (current: InputValues) => InputValues) => void

/** When the app replaces an element, the value that the user entered in the old element is dropped. */
function useDropStaleValues(blocks: KnownBlock[], setValues: SetValues) {
  const previousTypes = useRef<Map<string, string>>(undefined)
  useEffect(() => {
    const previous = previousTypes.current
    const types = new Map(
      findElements(blocks).map(({ block_id, element }) => [
        elementKey({ block_id, action_id: element.action_id }),
        element.type,
      ]),
    )
    previousTypes.current = types
    if (!previous) return
    const isSameElement = (key: string) => types.has(key) && types.get(key) === previous.get(key)
    setValues((current) => {
      let values: InputValues = {}
      for (const [block_id, blockValues] of Object.entries(current))
        for (const [action_id, value] of Object.entries(blockValues)) {
          const elementId = { block_id, action_id }
          if (isSameElement(elementKey(elementId))) values = withValue(values, elementId, value)
        }
      return values
    })
  }, [blocks, setValues])
}

const elementKey = ({ block_id, action_id }: ElementId) => `${block_id} ${action_id}`

const withValue = (
  values: InputValues,
  { block_id, action_id }: ElementId,
  value: InputValue,
): InputValues => ({
  ...values,
  [block_id]: { ...values[block_id], [action_id]: value },
})

const withoutKey = (record: Record<string, string>, key: string) =>
  Object.fromEntries(Object.entries(record).filter(([otherKey]) => otherKey !== key))

type BlockSurfaceProps = { surfaceId: SurfaceId; blocks: KnownBlock[]; children: ReactNode }

/** The surface of a message or the Home tab. Modals call `useSurfaceState` to submit its values. */
export function BlockSurface({ surfaceId, blocks, children }: BlockSurfaceProps) {
  return <SurfaceProvider surface={useSurfaceState(surfaceId, blocks)}>{children}</SurfaceProvider>
}

export function SurfaceProvider({ surface, children }: { surface: Surface; children: ReactNode }) {
  return (
    <SurfaceContext value={surface}>
      {children}
      {surface.confirmDialog}
    </SurfaceContext>
  )
}

type ConfirmDialogProps = { confirm: Confirm; onClose: () => void; onConfirm: () => void }

function ConfirmDialog({ confirm, onClose, onConfirm }: ConfirmDialogProps) {
  return (
    <Dialog
      title={confirm.title ? plainText(confirm.title) : 'Are you sure?'}
      onClose={onClose}
      footer={
        <>
          <button type="button" onClick={onClose}>
            {confirm.deny ? plainText(confirm.deny) : 'Cancel'}
          </button>
          <button
            type="button"
            className={confirm.style === 'danger' ? 'danger' : 'primary'}
            onClick={() => {
              onClose()
              onConfirm()
            }}
          >
            {confirm.confirm ? plainText(confirm.confirm) : 'Confirm'}
          </button>
        </>
      }
    >
      <Text text={confirm.text} />
    </Dialog>
  )
}
