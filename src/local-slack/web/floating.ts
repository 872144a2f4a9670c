import { type RefObject, useEffect, useLayoutEffect } from 'react'

const GAP = 4
const EDGE = 8

/** Puts a list over the page beside its button: where there is room, and above whatever would cut it off. */
export function useFloating(
  button: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  open: boolean,
): void {
  useLayoutEffect(() => {
    const [from, shown] = [button.current, list.current]
    if (!open || !from || !shown) return
    const place = () => {
      const at = from.getBoundingClientRect()
      shown.style.minWidth = `${Math.min(at.width, innerWidth - 2 * EDGE)}px`
      const { width, height } = shown.getBoundingClientRect()
      const below = at.bottom + GAP
      const top = below + height > innerHeight - EDGE ? Math.max(EDGE, at.top - GAP - height) : below
      shown.style.top = `${top}px`
      shown.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - EDGE - width))}px`
    }
    shown.showPopover()
    place()
    const resized = new ResizeObserver(place)
    resized.observe(shown)
    addEventListener('scroll', place, true)
    addEventListener('resize', place)
    return () => {
      resized.disconnect()
      removeEventListener('scroll', place, true)
      removeEventListener('resize', place)
    }
  }, [button, list, open])
}

/** Calls back when somebody presses outside. */
export function useOutside(root: RefObject<HTMLElement | null>, open: boolean, leave: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever `leave` is by then does the same
  useEffect(() => {
    if (!open) return
    const outside = ({ target }: PointerEvent) => {
      if (!root.current?.contains(target as Node)) leave()
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [root, open])
}
