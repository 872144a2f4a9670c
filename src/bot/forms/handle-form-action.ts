import type { ViewOutput } from '@slack/bolt'
import type { KnownBlock, ModalView } from '@slack/types'
import type { ReadingContext } from '../../time/reading.ts'
import type { Actor } from '../slack/actor.ts'
import { authorizeAction } from '../slack/authorize-action.ts'
import type { Bot } from '../slack/bot.ts'
import { reportBug } from '../slack/errors.ts'
import { updateModal } from '../slack/handle-request.ts'
import { messageView, plainText, withoutAccessories } from '../slack/message-blocks.ts'
import { accessForModal, authorize } from '../slack/permissions.ts'
import { slackErrorCode } from '../slack/slack-errors.ts'
import { readEnteredValues } from './field-messages.ts'
import type { Form } from './form.ts'
import { PREVIEW_BLOCK } from './form-blocks.ts'
import { inputState, readFormState, readingContext } from './form-state.ts'
import { formView } from './form-view.ts'
import { saveOpenForm, saveTypedText } from './open-form-store.ts'
import { savedInput } from './unfinished-form.ts'
import { buildUpdatedView, type ChangedInput } from './update-form.ts'
import { updateWhileTyping } from './update-while-typing.ts'

type FormAction = {
  bot: Bot
  actor: Actor
  view: ViewOutput
  input: ChangedInput & { type: string }
  action_ts: string
  trigger_id: string
}

/** Updates an open form after a change, and saves the input so far. */
export async function handleFormAction(form: Form, action: FormAction): Promise<void> {
  const { bot, actor, view, action_ts, input } = action
  const { client, team_id, user_id } = actor
  const state = readFormState(form, view)
  const viewWithMessage = (message: string): ModalView => formView(form, { ...state, message })
  const explainBug = (error: unknown) => viewWithMessage(reportBug(bot, error))
  const isTyping = input.type === 'plain_text_input'
  try {
    const authorization = await authorizeChange(form, action, isTyping)
    if (authorization.kind !== 'allowed') {
      await updateModal(client, view, viewWithMessage(authorization.message))
      return
    }
    const { profile } = authorization
    if (input.block_id === PREVIEW_BLOCK) {
      await showPreview(form, action, readingContext(profile, bot.runtime.now(), state.metadata))
      return
    }
    const saved_at = bot.runtime.now()
    const inputColumns = { ...savedInput(form, state), saved_at }
    const openForm = { view_id: view.id, team_id, user_id, action_ts, ...inputColumns }
    // Nothing in the form depends on this text.
    if (isTyping && !form.fields[input.block_id]?.updatesForm) {
      await saveTypedText(bot.db, openForm)
      return
    }
    await saveOpenForm(bot.db, openForm)
    const buildView = () => buildUpdatedView(form, { bot, actor, profile, view, input }).catch(explainBug)
    if (isTyping) {
      // If the projects aren't loaded yet, this update loads them itself, so it may replace any version of the view.
      const key = { view_id: view.id, hash: state.projects && view.hash, action_ts }
      await updateWhileTyping(bot, client, key, buildView)
      return
    }
    await updateModal(client, view, await buildView())
    bot.typingUpdates.delete(view.id)
  } catch (error) {
    await updateModal(client, view, explainBug(error))
  }
}

/** Opens the preview above the form, so that closing it brings the user back to what they have entered. */
async function showPreview(
  form: Form,
  { actor, view, trigger_id }: FormAction,
  context: ReadingContext,
): Promise<void> {
  const entered = readEnteredValues(form, (name) => inputState(view, name), context)
  const blocks = form.preview?.(entered, context) ?? []
  const push = (...shown: KnownBlock[]) => {
    const view = { ...messageView('Preview', ...shown), close: plainText('Back') }
    return actor.client.views.push({ trigger_id, view })
  }
  await push(...blocks).catch((error: unknown) => {
    // Slack rejects the whole view if it can't show the file yet.
    if (slackErrorCode(error) !== 'invalid_arguments') throw error
    return push(...withoutAccessories(blocks, 'image'))
  })
}

/** Typing doesn't count toward the action limit, unless the user isn't allowed to use the form. */
async function authorizeChange(form: Form, { bot, actor }: FormAction, isTyping: boolean) {
  const access = accessForModal(form.permission, form.title)
  if (isTyping) {
    const authorization = await authorize(bot, actor, access, { settings: actor.settings })
    if (authorization.kind === 'allowed') return authorization
  }
  return authorizeAction(bot, actor, { name: form.verb, access })
}
