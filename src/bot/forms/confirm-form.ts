import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { INPUT_KEPT, reportBug } from '../slack/errors.ts'
import { updateModal } from '../slack/handle-request.ts'
import { messageView, plainText, section } from '../slack/message-blocks.ts'
import { readConfirmation } from './confirmation.ts'
import { joinMessages } from './field-messages.ts'
import { findSubmittedForm } from './open-form-store.ts'
import { type FormResponse, replaceWithView, type SubmissionResult } from './submission.ts'
import { type ReceivedForm, submitForm } from './submit-form.ts'

/** A warning can't be read in less time than this, so an earlier press is the second half of a double click. */
const DOUBLE_CLICK_MS = 2000

/** Sends the form that the user has just confirmed, as it was submitted. */
export const confirmForm = (received: ReceivedForm): Promise<SubmissionResult> =>
  sendConfirmed(received).catch((error) => ({
    response: showConfirmation(received.view, `${reportBug(received.bot, error)} ${INPUT_KEPT}`),
  }))

async function sendConfirmed(received: ReceivedForm): Promise<SubmissionResult> {
  const { form, bot, actor, view } = received
  const { form_view_id, asked_at, warnings } = readConfirmation(view)
  if (bot.runtime.now().getTime() - asked_at < DOUBLE_CLICK_MS) return { response: showConfirmation(view) }
  const submittedForm = await findSubmittedForm(bot.db, actor, form_view_id)
  if (!submittedForm) return replaceWithView(messageView(form.title, section(EXPIRED)))
  const { submitted_view } = submittedForm
  // The form was already sent, but Slack may not have received the response.
  if (!submitted_view) return { response: { response_action: 'clear' } }
  const result = await submitForm({ ...received, view: submitted_view, confirmedWarnings: warnings ?? '' })
  return { ...result, response: await toConfirmationResponse(received, form_view_id, result.response) }
}

const EXPIRED = 'This confirmation has expired. Go back to the form and submit it again.'

/** Turns the form's response, which is meant for the form's view, into one for the confirmation above that view. */
async function toConfirmationResponse(
  { actor, view }: ReceivedForm,
  form_view_id: string,
  response: FormResponse,
): Promise<FormResponse> {
  switch (response?.response_action) {
    case undefined:
      return { response_action: 'clear' }
    case 'push':
      return { response_action: 'update', view: response.view }
    case 'errors':
      return showConfirmation(view, joinMessages(Object.values(response.errors)))
    case 'update':
      await updateModal(actor.client, { id: form_view_id, hash: undefined }, response.view)
      return undefined
    case 'clear':
      return response
  }
}

const PROBLEM_BLOCK = 'problem'

/** Shows the same confirmation again, with the problem if there is one. */
function showConfirmation(
  { callback_id, private_metadata, title, submit, close, blocks }: ViewOutput,
  problem?: string,
): FormResponse {
  const shown = blocks.filter(({ block_id }) => block_id !== PROBLEM_BLOCK) as ModalView['blocks']
  const message = problem ? [{ ...section(`:warning: ${problem}`), block_id: PROBLEM_BLOCK }] : []
  const view: ModalView = {
    type: 'modal',
    callback_id,
    private_metadata,
    title: plainText(title.text),
    ...(submit && { submit: plainText(submit.text) }),
    ...(close && { close: plainText(close.text) }),
    blocks: [...message, ...shown],
  }
  return { response_action: 'update', view }
}
