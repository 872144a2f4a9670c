import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

type Props = {
  title: string
  onClose: () => void
  /** Handles Escape, if it does something other than what the close button does. */
  onEscape?: () => void
  /** A modal below another one stays mounted but hidden, so that it keeps its values. */
  isShown?: boolean
  icon?: ReactNode
  children: ReactNode
  footer?: ReactNode
}

/** A modal dialog. The browser's own dialog element traps the focus and restores it on close. */
export function Dialog({
  title,
  onClose,
  onEscape = onClose,
  isShown = true,
  icon,
  children,
  footer,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // A layout effect closes the dialog before it leaves the document, so the browser can restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!isShown) return
    element?.showModal()
    return () => element?.close()
  }, [isShown])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        // File inputs and nested dialogs inside this dialog send cancel events, too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onEscape()
      }}
    >
      <header>
        {icon}
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div className="dialog-body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </dialog>
  )
}
