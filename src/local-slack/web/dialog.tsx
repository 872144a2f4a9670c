import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

type Props = {
  title: string
  close: () => void
  /** What Escape does, where that is less than the cross. */
  back?: () => void
  /** Another one may lie on top of it: then it is there, and not seen. */
  shown?: boolean
  icon?: ReactNode
  children: ReactNode
  foot?: ReactNode
}

/** A window over the page. The browser keeps the keyboard inside, and gives the focus back. */
export function Dialog({ title, close, back = close, shown = true, icon, children, foot }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before it leaves the page, or the browser would not know where the focus came from.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!shown) return
    element?.showModal()
    return () => element?.close()
  }, [shown])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        // What is cancelled inside, a choice of files or a question, does not cancel this.
        if (event.target !== event.currentTarget) return
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
