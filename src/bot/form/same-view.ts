import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { Form } from './form.ts'
import { type Filled, formView } from './form-view.ts'
import { alongOf, isTelling, pickedIn, shownProject, standingIn } from './view-state.ts'

/** The form once more, with all that stands in it, and what is new. */
export const sameView = (form: Form, view: ViewOutput, anew: Partial<Filled>): ModalView =>
  formView(form, {
    initial: standingIn(form, view),
    along: alongOf(view),
    picked: pickedIn(view),
    isTelling: isTelling(view),
    ...shownProject(view),
    ...anew,
  })
