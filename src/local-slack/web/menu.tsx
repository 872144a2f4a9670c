import { FloatingFocusManager, useInteractions, useListNavigation, useRole } from '@floating-ui/react'
import { type ReactNode, useRef, useState } from 'react'
import { usePopup } from './popup.ts'

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

/** A button that opens a menu. */
export function Menu({ label, items, className = '', isDisabled = false, children }: Props) {
  const popup = usePopup({ isDisabled })
  const rows = useRef<(HTMLElement | null)[]>([])
  const [activeIndex, setActiveIndex] = useState<number | null>(null)
  const menu = useInteractions([
    useRole(popup.context, { role: 'menu' }),
    useListNavigation(popup.context, {
      listRef: rows,
      activeIndex,
      onNavigate: setActiveIndex,
      focusItemOnOpen: true,
      loop: true,
    }),
  ])
  const renderItem = (item: MenuItem, index: number) => {
    const Tag = 'href' in item ? 'a' : 'button'
    return (
      <Tag
        key={item.label}
        ref={(row: HTMLElement | null) => {
          rows.current[index] = row
        }}
        role="menuitem"
        data-current={item.isCurrent}
        {...('href' in item ? { href: item.href } : { type: 'button' })}
        {...menu.getItemProps({
          tabIndex: index === activeIndex ? 0 : -1,
          onClick() {
            if ('href' in item) return
            popup.setIsOpen(false)
            item.onSelect()
          },
        })}
      >
        {item.label}
        {item.hint && <small>{item.hint}</small>}
      </Tag>
    )
  }
  return (
    <div className="menu">
      <button
        type="button"
        ref={popup.refs.setReference}
        className={className}
        aria-label={label}
        title={label}
        aria-disabled={isDisabled}
        {...menu.getReferenceProps(popup.getReferenceProps())}
      >
        {children}
      </button>
      {popup.isOpen && (
        <FloatingFocusManager context={popup.context} modal={false}>
          <div
            ref={popup.refs.setFloating}
            className="popup menu-list"
            popover="manual"
            style={popup.floatingStyles}
            {...menu.getFloatingProps(popup.getFloatingProps())}
          >
            {items.map(renderItem)}
          </div>
        </FloatingFocusManager>
      )}
    </div>
  )
}
