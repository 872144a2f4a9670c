import type { KnownBlock } from '@slack/types'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ViewRecord } from '../protocol.ts'
import { Blocks } from './blocks/blocks.tsx'
import { SurfaceProvider, useSurfaceState } from './blocks/surface.tsx'
import { useClient } from './client.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { plainText } from './text/text.tsx'

/** The stack of open modals. Only the topmost is visible; the modals below it keep their values. */
export function OpenModals() {
  const { views } = useClient().state
  return views.map((view, index) => (
    <Modal key={view.id} view={view} depth={index} isShown={index === views.length - 1} />
  ))
}

/** So that a screen reader reads it, and the keyboard goes on from there. */
function focusFirstBlock(form: HTMLFormElement | null): void {
  const block = form?.querySelector<HTMLElement>('.blocks > *')
  if (!block) return
  block.tabIndex = -1
  block.focus()
}

const hasFocusOnLoad = (block: KnownBlock): boolean =>
  block.type === 'input' && 'focus_on_load' in block.element && block.element.focus_on_load === true

/** Slack allows this many modals on top of each other. */
const MAX_STACKED_MODALS = 3

type Props = { view: ViewRecord; depth: number; isShown: boolean }

function Modal({ view, depth, isShown }: Props) {
  const { runAction, state } = useClient()
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({})
  const [formError, setFormError] = useState('')
  const [isSubmitting, setIsSubmitting] = useState(false)
  const surface = useSurfaceState({ view: view.id }, view.blocks, fieldErrors)
  const form = useRef<HTMLFormElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: an updated view has a new hash and no errors yet
  useEffect(() => setFieldErrors({}), [view.hash])
  useEffect(() => {
    if (!isShown) return
    const input = form.current?.querySelector<HTMLElement>(
      'input:not([type=hidden]), textarea, .select-button',
    )
    if (input) input.focus()
    else focusFirstBlock(form.current)
  }, [isShown])
  const focusOnLoad = view.blocks.find(hasFocusOnLoad)?.block_id
  useEffect(() => {
    // The app may add the fields only after it has opened the view.
    if (isShown && focusOnLoad) form.current?.querySelector<HTMLElement>('[data-autofocus=true]')?.focus()
  }, [isShown, focusOnLoad])
  const [firstBlock] = view.blocks
  const warning = firstBlock?.type === 'section' ? firstBlock.text?.text : undefined
  const shownWarning = useRef(warning)
  useEffect(() => {
    // The app has put a message above the fields.
    if (isShown && warning !== undefined && warning !== shownWarning.current) focusFirstBlock(form.current)
    shownWarning.current = warning
  }, [isShown, warning])

  const close = async ({ all }: { all: boolean }) => {
    const result = await runAction('closeView', { view: view.id, all })
    if ('error' in result) setFormError(result.error)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSubmitting) return
    setIsSubmitting(true)
    setFormError('')
    const result = await runAction('submitView', { view: view.id, values: surface.values })
    setIsSubmitting(false)
    if ('error' in result) setFormError(result.error)
    else setFieldErrors('errors' in result ? result.errors : {})
  }
  useEffect(() => {
    const [blockId] = Object.keys(fieldErrors)
    if (!blockId) return
    const field = form.current?.querySelector(`[data-block="${CSS.escape(blockId)}"]`)
    field?.querySelector<HTMLElement>('input, textarea, button')?.focus()
    // Focusing scrolls only to the input; this also shows the label and the error.
    field?.scrollIntoView({ block: 'nearest' })
  }, [fieldErrors])

  const closeLabel = depth > 0 ? 'Back' : 'Close'
  return (
    <Dialog
      title={plainText(view.title)}
      isShown={isShown}
      onClose={() => close({ all: true })}
      onEscape={() => close({ all: false })}
      icon={<img src={`/avatars/${state.app.botUserId}.svg`} alt="" width="24" height="24" />}
      footer={
        <>
          {depth > 0 && (
            <small className="modal-depth">
              {depth + 1} of {MAX_STACKED_MODALS}
            </small>
          )}
          <button type="button" onClick={() => close({ all: false })}>
            {view.close ? plainText(view.close) : closeLabel}
          </button>
          {view.submit && (
            <button type="submit" form={`form-${view.id}`} className="primary" aria-disabled={isSubmitting}>
              {plainText(view.submit)}
              {isSubmitting && '…'}
            </button>
          )}
        </>
      }
    >
      {formError && (
        <p className="banner" role="alert">
          {formError}
        </p>
      )}
      <form
        id={`form-${view.id}`}
        ref={form}
        onSubmit={submit}
        onKeyDown={(event) => {
          if (!view.submit || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          form.current?.requestSubmit()
        }}
        noValidate
      >
        <SurfaceProvider surface={surface}>
          <ErrorBoundary>
            <Blocks blocks={view.blocks} />
          </ErrorBoundary>
        </SurfaceProvider>
      </form>
    </Dialog>
  )
}
