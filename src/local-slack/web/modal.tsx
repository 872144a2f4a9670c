import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ViewRecord } from '../protocol.ts'
import { Blocks } from './blocks/blocks.tsx'
import { PlaceProvider, usePlaceState } from './blocks/place.tsx'
import { Dialog } from './dialog.tsx'
import { Mishap } from './mishap.tsx'
import { useSlack } from './slack.tsx'
import { plainText } from './words/text-object.tsx'

/** The modals of this desk. Only the topmost is seen; those below keep what was filled in. */
export function Modals() {
  const { seen } = useSlack()
  return seen.views.map((view, index) => (
    <Modal key={view.id} view={view} depth={index} shown={index === seen.views.length - 1} />
  ))
}

type Props = { view: ViewRecord; depth: number; shown: boolean }

function Modal({ view, depth, shown }: Props) {
  const { act, seen } = useSlack()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [banner, setBanner] = useState('')
  const [busy, setBusy] = useState(false)
  const place = usePlaceState({ view: view.id }, view.blocks, errors)
  const form = useRef<HTMLFormElement>(null)

  // A view that was replaced begins without the faults of the one before it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash is new where the view is
  useEffect(() => setErrors({}), [view.hash])
  useEffect(() => {
    if (!shown) return
    const first = form.current?.querySelector<HTMLElement>(
      '[data-autofocus=true], input:not([type=hidden]), textarea, .select-button',
    )
    first?.focus()
  }, [shown])

  const close = async (all: boolean) => {
    const closed = await act('closeView', { view: view.id, all })
    if ('error' in closed) setBanner(closed.error)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setBanner('')
    const result = await act('submitView', { view: view.id, values: place.typed })
    setBusy(false)
    if ('error' in result) setBanner(result.error)
    else setErrors('errors' in result ? result.errors : {})
  }
  useEffect(() => {
    const [first] = Object.keys(errors)
    if (!first) return
    const field = [...(form.current?.querySelectorAll<HTMLElement>('.field') ?? [])].find(
      ({ dataset }) => dataset.block === first,
    )
    field?.querySelector<HTMLElement>('input, textarea, button')?.focus()
    // What has the focus may be out of sight itself, as a checkbox is.
    field?.scrollIntoView({ block: 'nearest' })
  }, [errors])

  return (
    <Dialog
      title={plainText(view.title)}
      shown={shown}
      close={() => close(true)}
      back={() => close(false)}
      icon={<img src={`/avatars/${seen.app.botUserId}.svg`} alt="" width="24" height="24" />}
      foot={
        <>
          {depth > 0 && <small className="depth">{depth + 1} of 3</small>}
          <button type="button" onClick={() => close(false)}>
            {view.close ? plainText(view.close) : depth ? 'Back' : 'Close'}
          </button>
          {view.submit && (
            <button type="submit" form={`form-${view.id}`} className="primary" aria-disabled={busy}>
              {plainText(view.submit)}
              {busy && '…'}
            </button>
          )}
        </>
      }
    >
      {banner && (
        <p className="banner" role="alert">
          {banner}
        </p>
      )}
      <form id={`form-${view.id}`} ref={form} onSubmit={submit} noValidate>
        <PlaceProvider place={place}>
          <Mishap>
            <Blocks blocks={view.blocks} />
          </Mishap>
        </PlaceProvider>
      </form>
    </Dialog>
  )
}
