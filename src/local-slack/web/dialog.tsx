import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon.tsx'

type Props = {
  title: string
  close: () => void
  /** What Escape does, where that is less than the cross. */
  back?: () => void
  icon?: ReactNode
  children: ReactNode
  foot?: ReactNode
}

/** A window over the page. The browser keeps the keyboard inside, and gives the focus back. */
export function Dialog({ title, close, back = close, icon, children, foot }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        back()
      }}
    >
      <header>
        {icon}
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="dialog-body">{children}</div>
      {foot && <footer>{foot}</footer>}
    </dialog>
  )
}
