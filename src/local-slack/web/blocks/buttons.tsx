import type {
  Button,
  FeedbackButtons as FeedbackButtonsElement,
  IconButton,
  Overflow,
  WorkflowButton,
} from '@slack/types'
import { Icon } from '../icon.tsx'
import { Menu, type MenuItem } from '../menu.tsx'
import { isSafeUrl } from '../text/inline-elements.tsx'
import { plainText } from '../text/text.tsx'
import { type ElementId, useSurface } from './surface.tsx'

const openLink = (url: string | undefined) => {
  if (url && isSafeUrl(url)) window.open(url, '_blank', 'noreferrer')
}

type ButtonProps = { element: Button | WorkflowButton | IconButton; elementId: ElementId }

export function ActionButton({ element, elementId }: ButtonProps) {
  const { sendAction, isBusy } = useSurface()
  const url = 'url' in element ? element.url : undefined
  const style = 'style' in element ? element.style : undefined
  const confirm = 'confirm' in element ? element.confirm : undefined
  return (
    <button
      type="button"
      className={style ?? ''}
      aria-disabled={isBusy(elementId)}
      aria-label={element.accessibility_label}
      onClick={() => {
        if (isBusy(elementId)) return
        // Slack opens a button's link and still sends the action to the app.
        sendAction({ ...elementId, confirm, onConfirmed: () => openLink(url) })
      }}
    >
      {element.type === 'icon_button' && <span aria-hidden="true">🗑️ </span>}
      {plainText(element.text)}
    </button>
  )
}

type FeedbackProps = { element: FeedbackButtonsElement; elementId: ElementId }

export function FeedbackButtons({ element, elementId }: FeedbackProps) {
  const { sendAction, isBusy } = useSurface()
  const renderButton = (button: FeedbackButtonsElement['positive_button'], symbol: string) => (
    <button
      type="button"
      aria-label={button.accessibility_label}
      onClick={() => !isBusy(elementId) && sendAction({ ...elementId, value: button.value })}
    >
      <span aria-hidden="true">{symbol}</span> {plainText(button.text)}
    </button>
  )
  return (
    <>
      {renderButton(element.positive_button, '👍')}
      {renderButton(element.negative_button, '👎')}
    </>
  )
}

type OverflowProps = { element: Overflow; elementId: ElementId; subject: string | undefined }

export function OverflowMenu({ element, elementId, subject }: OverflowProps) {
  const { sendAction, isBusy } = useSurface()
  const items = element.options.map(
    ({ text, value = '', description, url }): MenuItem => ({
      label: plainText(text),
      hint: description && plainText(description),
      onSelect: () =>
        sendAction({ ...elementId, value, confirm: element.confirm, onConfirmed: () => openLink(url) }),
    }),
  )
  return (
    <Menu
      label={subject ? `More options for ${subject}` : 'More options'}
      items={items}
      isDisabled={isBusy(elementId)}
    >
      <Icon name="more" />
    </Menu>
  )
}
