import type { ActionsBlockElement, ContextActionsBlockElement, InputBlockElement } from '@slack/types'
import { ActionButton, FeedbackButtons, OverflowMenu } from './buttons.tsx'
import { Checkboxes, RadioButtons } from './checkboxes.tsx'
import { DatePicker, DateTimePicker, TimePicker } from './date-pickers.tsx'
import { FileInput } from './file-input.tsx'
import { Select } from './select.tsx'
import { type ElementId, useSurface } from './surface.tsx'
import { TextInput } from './text-input.tsx'

export type InteractiveElement = ActionsBlockElement | InputBlockElement | ContextActionsBlockElement

type Props = {
  block_id: string
  element: InteractiveElement
  /** The text that the element belongs to, which names its menu. */
  subject?: string | undefined
}

/** An interactive element, and below it the error of its last action. */
export function BlockElement({ block_id, element, subject }: Props) {
  const { actionError, isBusy } = useSurface()
  const elementId = { block_id, action_id: element.action_id ?? '' }
  const error = actionError(elementId)
  return (
    <div className="element" data-busy={isBusy(elementId)} data-type={element.type}>
      {renderElement(element, elementId, subject)}
      {error && (
        <p className="action-error" role="alert">
          ⚠️ {error}
        </p>
      )}
    </div>
  )
}

function renderElement(element: InteractiveElement, elementId: ElementId, subject: string | undefined) {
  switch (element.type) {
    case 'button':
    case 'workflow_button':
    case 'icon_button':
      return <ActionButton element={element} elementId={elementId} />
    case 'feedback_buttons':
      return <FeedbackButtons element={element} elementId={elementId} />
    case 'overflow':
      return <OverflowMenu element={element} elementId={elementId} subject={subject} />
    case 'checkboxes':
      return <Checkboxes element={element} elementId={elementId} />
    case 'radio_buttons':
      return <RadioButtons element={element} elementId={elementId} />
    case 'datepicker':
      return <DatePicker element={element} elementId={elementId} />
    case 'timepicker':
      return <TimePicker element={element} elementId={elementId} />
    case 'datetimepicker':
      return <DateTimePicker element={element} elementId={elementId} />
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
    case 'rich_text_input':
      return <TextInput element={element} elementId={elementId} />
    case 'file_input':
      return <FileInput element={element} elementId={elementId} />
    default:
      return <Select element={element} elementId={elementId} />
  }
}
