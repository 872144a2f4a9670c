import {
  autoUpdate,
  flip,
  offset,
  shift,
  size,
  useClick,
  useDismiss,
  useFloating,
  useInteractions,
} from '@floating-ui/react'
import { useLayoutEffect, useState } from 'react'

const GAP_PX = 4
const SCREEN_PADDING_PX = 8

/** Opens a list below a button, or above the button if there is no space below. */
export function usePopup({ isDisabled = false } = {}) {
  const [isOpen, setIsOpen] = useState(false)
  const { refs, floatingStyles, context } = useFloating({
    open: isOpen,
    onOpenChange(open, event, reason) {
      // Without preventDefault, Escape would also close the dialog around the popup.
      if (reason === 'escape-key') event?.preventDefault()
      setIsOpen(open)
    },
    placement: 'bottom-start',
    strategy: 'fixed',
    whileElementsMounted: autoUpdate,
    middleware: [
      offset(GAP_PX),
      flip({ padding: SCREEN_PADDING_PX }),
      shift({ padding: SCREEN_PADDING_PX }),
      size({
        padding: SCREEN_PADDING_PX,
        apply({ rects, availableWidth, elements }) {
          elements.floating.style.minWidth = `${Math.min(rects.reference.width, availableWidth)}px`
        },
      }),
    ],
  })
  const interactions = useInteractions([useClick(context, { enabled: !isDisabled }), useDismiss(context)])
  // As a popover in the browser's top layer, the list is never cut off by a dialog or a scrolling element.
  useLayoutEffect(() => {
    if (!isOpen) return
    refs.floating.current?.showPopover()
    refs.floating.current?.querySelector('input')?.focus()
  }, [isOpen, refs])
  return { isOpen, setIsOpen, refs, floatingStyles, context, ...interactions }
}
