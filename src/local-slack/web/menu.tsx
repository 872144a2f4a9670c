import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useFloating, useOutside } from './floating.ts'

export type MenuItem = {
  label: string
  hint?: string | undefined
  isCurrent?: boolean
} & ({ onSelect: () => void } | { href: string })

type Props = {
  label: string
  items: MenuItem[]
  className?: string
  isDisabled?: boolean
  children: ReactNode
}

/** A button with a list under it: arrows move in it, Enter chooses, Escape closes. */
export function Menu({ label, items, className = '', isDisabled = false, children }: Props) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const rows = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useFloating(button, list, open)
  useOutside(root, open, () => setOpen(false))
  useEffect(() => {
    if (open) list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [open])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return
    const all = rows()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (event.key === 'Escape') {
      event.stopPropagation()
      event.preventDefault()
      close()
    } else if (event.key === 'Tab') setOpen(false)
    else if (to !== undefined) {
      event.preventDefault()
      all[(to + all.length) % all.length]?.focus()
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu inside
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={button}
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        title={label}
        aria-disabled={isDisabled}
        onClick={() => setOpen(!open && !isDisabled)}
      >
        {children}
      </button>
      {open && (
        <div role="menu" id={id} aria-label={label} className="menu-list" ref={list} popover="manual">
          {items.map((item) => (
            <MenuItemRow key={item.label} item={item} close={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function MenuItemRow({ item, close }: { item: MenuItem; close: () => void }) {
  const inside = (
    <>
      {item.label}
      {item.hint && <small>{item.hint}</small>}
    </>
  )
  const look = { role: 'menuitem', tabIndex: -1, 'data-current': item.isCurrent }
  if ('href' in item)
    return (
      <a {...look} href={item.href}>
        {inside}
      </a>
    )
  return (
    <button
      type="button"
      {...look}
      onClick={() => {
        close()
        item.onSelect()
      }}
    >
      {inside}
    </button>
  )
}
