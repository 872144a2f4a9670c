import { z } from 'zod'
import { findElements } from '../../blocks/find-elements.ts'
import { buildViewState, type ViewState } from '../../blocks/state.ts'
import { validateInputs } from '../../blocks/validate-inputs.ts'
import { readView } from '../content/read-view.ts'
import { viewInteractionFields } from '../delivery/payloads.ts'
import { sendToApp } from '../delivery/send-to-app.ts'
import { json } from '../web-api/args.ts'
import { recordAppPayload } from '../workspace/app-payloads.ts'
import type { OpenView } from '../workspace/entities.ts'
import { createResponseUrl } from '../workspace/response-urls.ts'
import type { Slack } from '../workspace/slack.ts'
import { createTrigger } from '../workspace/triggers.ts'
import { closeAllViews, closeTopView, pushView, replaceView, viewRecord } from '../workspace/views.ts'
import { createValueLookup, InputValues } from './container.ts'
import { type ActionContext, DONE, defineUserAction, failure } from './user-action.ts'

const VIEW_NOT_FOUND = 'This form is no longer open.'
/** Slack's message if the app doesn't acknowledge a form, or acknowledges it with an invalid response. */
const SUBMISSION_FAILED = 'We had some trouble connecting. Try again?'

/** Messages by block_id, which the form shows under its inputs. */
type InputErrors = { errors: Record<string, string> }

export const submitView = defineUserAction(
  z.object({ view: z.string(), values: InputValues }),
  async ({ args, ...context }) => {
    const { slack, session } = context
    const view = slack.views.get(args.view)
    if (!view || view.sessionId !== session.id) return failure(VIEW_NOT_FOUND)
    const { blocks } = view.definition
    const state = buildViewState(blocks, args.values, createValueLookup(slack, session, { view }))
    const errors = validateInputs(blocks, state)
    if (Object.keys(errors).length) return { errors } satisfies InputErrors
    giveFilesToApp(slack, state)
    const result = await sendToApp(slack, {
      type: 'interactive',
      payload: {
        type: 'view_submission',
        ...viewInteractionFields(slack, session.user),
        trigger_id: createTrigger(slack, session),
        view: viewRecord(slack, view, state),
        response_urls: createResponseUrls(slack, view, state),
      },
    })
    if ('failure' in result) return failure(SUBMISSION_FAILED)
    // The user may have closed the form before the app acknowledged it.
    if (slack.views.get(view.id) !== view) return DONE
    const { acknowledgement } = result
    const outcome = applyAcknowledgement(context, view, acknowledgement)
    const problems = 'problems' in outcome ? outcome.problems : []
    if (Object.keys(Object(acknowledgement)).length)
      recordAppPayload(slack, {
        source: 'acknowledgement',
        name: 'view_submission',
        body: acknowledgement,
        response: problems[0] ?? 'ok',
        problems,
      })
    return 'problems' in outcome ? failure(SUBMISSION_FAILED) : outcome
  },
)

const Acknowledgement = z.union([
  z.strictObject({ response_action: z.literal('clear') }),
  z.strictObject({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string().min(1)) }),
  z.strictObject({ response_action: z.enum(['update', 'push']), view: json }),
  z.strictObject({}),
])

function applyAcknowledgement(
  { slack, session }: ActionContext,
  view: OpenView,
  acknowledgement: unknown,
): InputErrors | typeof DONE | { problems: string[] } {
  const { data } = Acknowledgement.safeParse(acknowledgement ?? {})
  if (!data) return { problems: ['invalid response_action'] }
  if (!('response_action' in data)) {
    if (session.viewIds.at(-1) === view.id) closeTopView(slack, session)
    return DONE
  }
  if (data.response_action === 'clear') {
    closeAllViews(slack, session)
    return DONE
  }
  if (data.response_action === 'errors') return checkInputErrors(view, data.errors)
  const replacedViewId = data.response_action === 'update' ? view.id : undefined
  const readResult = readView(slack, data.view, { type: 'modal', replacedViewId })
  if ('error' in readResult) return { problems: [readResult.error, ...readResult.messages] }
  if (replacedViewId) {
    replaceView(slack, view, readResult.valid)
    return DONE
  }
  const pushResult = pushView(slack, session, readResult.valid)
  return 'error' in pushResult ? { problems: [pushResult.error] } : DONE
}

/** Slack rejects errors for blocks that are not input blocks of the view. */
function checkInputErrors(
  { definition }: OpenView,
  errors: Record<string, string>,
): InputErrors | { problems: string[] } {
  const inputBlockIds = findElements(definition.blocks).flatMap(({ input, block_id }) =>
    input ? [block_id] : [],
  )
  const unknownBlockIds = Object.keys(errors).filter((block_id) => !inputBlockIds.includes(block_id))
  if (unknownBlockIds.length)
    return { problems: unknownBlockIds.map((id) => `"${id}" is not an input block of this view`) }
  return Object.keys(errors).length ? { errors } : { problems: ['errors is empty'] }
}

/** Lets the app read the files that the user added to the form. */
function giveFilesToApp(slack: Slack, { values }: ViewState): void {
  for (const entries of Object.values(values))
    for (const { files } of Object.values(entries))
      for (const { id } of (files as { id: string }[] | undefined) ?? [])
        slack.files.get(id)?.receivedBy.add(slack.app.botUserId)
}

/** Creates the response URLs for selects with `response_url_enabled`. */
function createResponseUrls(slack: Slack, view: OpenView, state: ViewState) {
  return findElements(view.definition.blocks).flatMap(({ block_id, element }) => {
    const { action_id } = element
    const entry = state.values[block_id]?.[action_id]
    const channel_id = entry?.selected_conversation ?? entry?.selected_channel
    if (!('response_url_enabled' in element && element.response_url_enabled) || !channel_id) return []
    const target = { channel: String(channel_id), user: view.user }
    return [{ block_id, action_id, channel_id, response_url: createResponseUrl(slack, 'actions', target) }]
  })
}

export const closeView = defineUserAction(
  z.object({
    view: z.string(),
    /** Closes the whole stack of modals, like the X of a modal. */
    all: z.boolean().default(false),
  }),
  async ({ slack, session, args }) => {
    const view = slack.views.get(args.view)
    if (!view || session.viewIds.at(-1) !== view.id) return failure(VIEW_NOT_FOUND)
    if (!args.all && !view.definition.clear_on_close) {
      closeTopView(slack, session)
      notifyViewClosed(slack, view, { is_cleared: false })
      return DONE
    }
    // For a whole stack, Slack sends one event, about the lowest view.
    const rootView = closeAllViews(slack, session).at(-1)
    if (rootView) notifyViewClosed(slack, rootView, { is_cleared: true })
    return DONE
  },
)

function notifyViewClosed(slack: Slack, view: OpenView, { is_cleared }: { is_cleared: boolean }): void {
  if (!view.definition.notify_on_close) return
  const payload = {
    type: 'view_closed',
    ...viewInteractionFields(slack, view.user),
    view: viewRecord(slack, view),
    is_cleared,
  }
  sendToApp(slack, { type: 'interactive', payload }).catch(slack.log)
}
