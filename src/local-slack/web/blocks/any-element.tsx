import type { ActionsBlockElement, ContextActionsBlockElement, InputBlockElement } from '@slack/types'
import { ActionButton, FeedbackPair, OverflowMenu } from './buttons.tsx'
import { Checkboxes, RadioButtons } from './choices.tsx'
import { FileInput } from './file-input.tsx'
import { DatePicker, DateTimePicker, TimePicker } from './pickers.tsx'
import { usePlace } from './place.tsx'
import { Select } from './select.tsx'
import { TextInput } from './text-input.tsx'

export type Usable = ActionsBlockElement | InputBlockElement | ContextActionsBlockElement

/** Whatever a person can use, with what went wrong when they did. */
export function AnyElement({ block_id, element }: { block_id: string; element: Usable }) {
  const { trouble, busy } = usePlace()
  const which = { block_id, action_id: element.action_id ?? '' }
  const failed = trouble(which)
  return (
    <div className="element" data-busy={busy(which)} data-type={element.type}>
      {draw(element, which)}
      {failed && (
        <p className="trouble" role="alert">
          ⚠️ {failed}
        </p>
      )}
    </div>
  )
}

/** Which element it is: its block and its action. */
export type Which = { block_id: string; action_id: string }

function draw(element: Usable, which: Which) {
  switch (element.type) {
    case 'button':
    case 'workflow_button':
    case 'icon_button':
      return <ActionButton element={element} which={which} />
    case 'feedback_buttons':
      return <FeedbackPair element={element} which={which} />
    case 'overflow':
      return <OverflowMenu element={element} which={which} />
    case 'checkboxes':
      return <Checkboxes element={element} which={which} />
    case 'radio_buttons':
      return <RadioButtons element={element} which={which} />
    case 'datepicker':
      return <DatePicker element={element} which={which} />
    case 'timepicker':
      return <TimePicker element={element} which={which} />
    case 'datetimepicker':
      return <DateTimePicker element={element} which={which} />
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
    case 'rich_text_input':
      return <TextInput element={element} which={which} />
    case 'file_input':
      return <FileInput element={element} which={which} />
    default:
      return <Select element={element} which={which} />
  }
}
