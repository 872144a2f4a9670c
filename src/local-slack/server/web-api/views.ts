import { readView } from '../content/read-view.ts'
import { redeemTrigger } from '../workspace/triggers.ts'
import { findViewByExternalId, publishHome, pushView, replaceView, viewRecord } from '../workspace/views.ts'
import { anyText, json, text } from './args.ts'
import {
  type ApiResponse,
  type Call,
  defineMethod,
  errorResponse,
  invalidArgumentsResponse,
} from './method.ts'

const openArgs = { trigger_id: text, view: json }

function openView(
  { slack, args }: Call<{ trigger_id: string; view: unknown }>,
  { needsOpenView }: { needsOpenView: boolean },
): ApiResponse {
  const result = readView(slack, args.view, { type: 'modal' })
  if ('error' in result) return invalidArgumentsResponse(result)
  const redeemed = redeemTrigger(slack, args.trigger_id)
  if ('error' in redeemed) return errorResponse(redeemed.error)
  const session = slack.sessions.get(redeemed.trigger.sessionId)
  if (!session) return errorResponse('expired_trigger_id')
  if (needsOpenView && !session.viewIds.length) return errorResponse('not_found')
  const pushed = pushView(slack, session, result.valid)
  if ('error' in pushed) return errorResponse(pushed.error)
  return { ok: true, view: viewRecord(slack, pushed.view) }
}

export const viewMethods = [
  defineMethod('views.open', {
    tier: 4,
    allowedTokens: ['bot'],
    args: openArgs,
    run: (call) => openView(call, { needsOpenView: false }),
  }),

  defineMethod('views.push', {
    tier: 4,
    allowedTokens: ['bot'],
    args: openArgs,
    run: (call) => openView(call, { needsOpenView: true }),
  }),

  defineMethod('views.update', {
    tier: 4,
    allowedTokens: ['bot'],
    args: {
      view: json,
      view_id: anyText.optional(),
      external_id: anyText.optional(),
      hash: anyText.optional(),
    },
    run: ({ slack, args }) => {
      const { view_id, external_id, hash } = args
      if (view_id !== undefined && external_id !== undefined)
        return invalidArgumentsResponse({
          error: 'invalid_arguments',
          messages: ['Cannot provide both `view_id` and `external_id`'],
        })
      const view = external_id ? findViewByExternalId(slack, external_id) : slack.views.get(view_id ?? '')
      const result = readView(slack, args.view, { type: 'modal', replacedViewId: view?.id })
      if ('error' in result) return invalidArgumentsResponse(result)
      if (!view) return errorResponse('not_found')
      if (hash && hash !== view.hash) return errorResponse('hash_conflict')
      return { ok: true, view: viewRecord(slack, replaceView(slack, view, result.valid)) }
    },
  }),

  defineMethod('views.publish', {
    tier: 4,
    allowedTokens: ['bot'],
    args: { user_id: text, view: json, hash: anyText.optional() },
    run: ({ slack, args }) => {
      const previous = slack.homes.get(args.user_id)
      const result = readView(slack, args.view, { type: 'home', replacedViewId: previous?.id })
      if ('error' in result) return invalidArgumentsResponse(result)
      if (!slack.app.manifest.features.app_home.home_tab_enabled) return errorResponse('not_enabled')
      if (!slack.users.has(args.user_id)) return errorResponse('user_not_found')
      if (args.hash && args.hash !== previous?.hash) return errorResponse('hash_conflict')
      return { ok: true, view: viewRecord(slack, publishHome(slack, args.user_id, result.valid)) }
    },
  }),
]
