import type { Button, FeedbackButtons, IconButton, Overflow, WorkflowButton } from '@slack/types'
import { Icon } from '../icon.tsx'
import { Menu, type MenuItem } from '../menu.tsx'
import { isHarmless } from '../words/leaves.tsx'
import { plainText } from '../words/text-object.tsx'
import type { Which } from './any-element.tsx'
import { usePlace } from './place.tsx'

/** Only where a link can do no harm. */
const openLink = (url: string) => {
  if (isHarmless(url)) window.open(url, '_blank', 'noreferrer')
}

type ButtonProps = { element: Button | WorkflowButton | IconButton; which: Which }

export function ActionButton({ element, which }: ButtonProps) {
  const { press, busy } = usePlace()
  const url = 'url' in element ? element.url : undefined
  const style = 'style' in element ? element.style : undefined
  const confirm = 'confirm' in element ? element.confirm : undefined
  return (
    <button
      type="button"
      className={style ?? ''}
      aria-disabled={busy(which)}
      aria-label={element.accessibility_label}
      // A link is opened, and the app is told all the same.
      onClick={() => !busy(which) && press({ ...which, confirm, ...(url && { first: () => openLink(url) }) })}
    >
      {element.type === 'icon_button' && <span aria-hidden="true">🗑️ </span>}
      {plainText(element.text)}
    </button>
  )
}

export function FeedbackPair({ element, which }: { element: FeedbackButtons; which: Which }) {
  const { press, busy } = usePlace()
  const { positive_button, negative_button } = element
  return [positive_button, negative_button].map((one, index) => (
    <button
      key={one.value}
      type="button"
      aria-label={one.accessibility_label}
      onClick={() => !busy(which) && press({ ...which, chosen: one.value })}
    >
      <span aria-hidden="true">{index ? '👎' : '👍'}</span> {plainText(one.text)}
    </button>
  ))
}

export function OverflowMenu({ element, which }: { element: Overflow; which: Which }) {
  const { press, busy } = usePlace()
  const items = element.options.map(
    ({ text, value = '', description, url }): MenuItem => ({
      label: plainText(text),
      ...(description && { hint: plainText(description) }),
      choose: () =>
        press({
          ...which,
          chosen: value,
          confirm: element.confirm,
          ...(url && { first: () => openLink(url) }),
        }),
    }),
  )
  return (
    <Menu label="More" items={items} disabled={busy(which)}>
      <Icon name="more" />
    </Menu>
  )
}
