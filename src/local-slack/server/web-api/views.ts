import { readView } from '../given/view.ts'
import { spendTrigger } from '../workspace/triggers.ts'
import { openViewByExternalId, publishHome, pushView, replaceView, viewRecord } from '../workspace/views.ts'
import { anyText, json, text } from './args.ts'
import { type Call, method, refuse, refuseArguments } from './method.ts'

type Opening = { trigger_id: string; view: unknown }

/** Opening and pushing differ in nothing but what lies there already. */
function open({ slack, judge, args }: Call<Opening>, { onTop }: { onTop: boolean }) {
  const read = readView({ slack, judge }, args.view, { type: 'modal' })
  if ('error' in read) return refuseArguments(read)
  const used = spendTrigger(slack, args.trigger_id)
  if ('refusal' in used) return refuse(used.refusal)
  const desk = slack.desks.get(used.trigger.desk)
  if (!desk) return refuse('expired_trigger_id')
  if (onTop && !desk.stack.length) return refuse('not_found')
  const pushed = pushView(slack, desk, read.passed)
  if ('refusal' in pushed) return refuse(pushed.refusal)
  return { ok: true as const, view: viewRecord(slack, pushed.view) }
}

const opening = { trigger_id: text, view: json }

export const viewMethods = [
  method('views.open', {
    tier: 4,
    token: ['bot'],
    args: opening,
    run: (call) => open(call, { onTop: false }),
  }),

  method('views.push', {
    tier: 4,
    token: ['bot'],
    args: opening,
    run: (call) => open(call, { onTop: true }),
  }),

  method('views.update', {
    tier: 4,
    token: ['bot'],
    args: {
      view: json,
      view_id: anyText.optional(),
      external_id: anyText.optional(),
      hash: anyText.optional(),
    },
    run: ({ slack, judge, args }) => {
      const { view_id, external_id, hash } = args
      if (view_id !== undefined && external_id !== undefined)
        return refuseArguments({
          error: 'invalid_arguments',
          messages: ['Cannot provide both `view_id` and `external_id`'],
        })
      const found = external_id ? openViewByExternalId(slack, external_id) : slack.views.get(view_id ?? '')
      const read = readView({ slack, judge }, args.view, { type: 'modal', replacing: found?.id })
      if ('error' in read) return refuseArguments(read)
      if (!found) return refuse('not_found')
      if (hash && hash !== found.hash) return refuse('hash_conflict')
      return { ok: true, view: viewRecord(slack, replaceView(slack, found, read.passed)) }
    },
  }),

  method('views.publish', {
    tier: 4,
    token: ['bot'],
    args: { user_id: text, view: json, hash: anyText.optional() },
    run: ({ slack, judge, args }) => {
      const before = slack.homes.get(args.user_id)
      const read = readView({ slack, judge }, args.view, { type: 'home', replacing: before?.id })
      if ('error' in read) return refuseArguments(read)
      if (!slack.app.manifest.features.app_home.home_tab_enabled) return refuse('not_enabled')
      if (!slack.people.has(args.user_id)) return refuse('user_not_found')
      if (args.hash && args.hash !== before?.hash) return refuse('hash_conflict')
      return { ok: true, view: viewRecord(slack, publishHome(slack, args.user_id, read.passed)) }
    },
  }),
]
