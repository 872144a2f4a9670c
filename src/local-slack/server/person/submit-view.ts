import { z } from 'zod'
import { elementsIn } from '../../blocks/elements-in.ts'
import { inputFaults } from '../../blocks/input-faults.ts'
import { stateOf, type ViewState } from '../../blocks/state.ts'
import { readView } from '../given/view.ts'
import { askApp } from '../to-app/ask-app.ts'
import { SUBMISSION_FAILED } from '../to-app/failure-words.ts'
import { interaction } from '../to-app/payloads.ts'
import { makeResponseUrl } from '../workspace/response-urls.ts'
import { note } from '../workspace/sent.ts'
import type { Slack } from '../workspace/slack.ts'
import { makeTrigger } from '../workspace/triggers.ts'
import { clearViews, type OpenView, popView, pushView, replaceView, viewRecord } from '../workspace/views.ts'
import { deed, done, failed, type Scene } from './deed.ts'
import { AllTyped, knownAt } from './place.ts'

const params = z.object({ view: z.string(), typed: AllTyped })

/** By block: what is wrong with what was filled in. */
type Errors = { errors: Record<string, string> }

export const submitView = deed(params, async (scene) => {
  const { slack, desk, params } = scene
  const view = slack.views.get(params.view)
  if (!view || view.desk !== desk.id) return failed('This form is gone.')
  const state = stateOf(view.given.blocks, params.typed, knownAt(slack, desk, { view }))
  const errors = inputFaults(view.given.blocks, state)
  if (Object.keys(errors).length) return { errors } satisfies Errors
  giveFilesToApp(slack, state)
  const carried = await askApp(slack, {
    type: 'interactive',
    payload: {
      type: 'view_submission',
      ...interaction(slack, desk.user),
      trigger_id: makeTrigger(slack, { desk: desk.id, user: desk.user }),
      view: viewRecord(slack, view, state),
      response_urls: responseUrlsOf(slack, view, state),
    },
  })
  if ('failure' in carried) return failed(SUBMISSION_FAILED)
  // Closed while the app was thinking: there is nothing left that it could change.
  if (slack.views.get(view.id) !== view) return done
  const taken = takeAnswer(scene, view, carried.answer)
  const faults = 'faults' in taken ? taken.faults : []
  if (Object.keys(Object(carried.answer)).length)
    note(slack, {
      via: 'answer',
      what: 'view_submission',
      body: carried.answer,
      answer: faults[0] ?? 'ok',
      faults,
    })
  return 'faults' in taken ? failed(SUBMISSION_FAILED) : taken
})

const Answer = z.union([
  z.strictObject({ response_action: z.literal('clear') }),
  z.strictObject({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string().min(1)) }),
  z.strictObject({ response_action: z.enum(['update', 'push']), view: z.unknown() }),
  z.strictObject({}),
])

/** Does what the app answered, or says why that cannot be done. */
function takeAnswer(
  { slack, judge, desk }: Scene,
  view: OpenView,
  answer: unknown,
): Errors | typeof done | { faults: string[] } {
  const { data } = Answer.safeParse(answer ?? {})
  if (!data) return { faults: ['invalid response_action'] }
  if (!('response_action' in data)) {
    if (desk.stack.at(-1) === view.id) popView(slack, desk)
    return done
  }
  if (data.response_action === 'clear') {
    clearViews(slack, desk)
    return done
  }
  if (data.response_action === 'errors') return takeErrors(view, data.errors)
  const replacing = data.response_action === 'update' ? view.id : undefined
  const read = readView({ slack, judge }, data.view, { type: 'modal', replacing })
  if ('error' in read) return { faults: [read.error, ...read.messages] }
  if (replacing) {
    replaceView(slack, view, read.passed)
    return done
  }
  const pushed = pushView(slack, desk, read.passed)
  return 'refusal' in pushed ? { faults: [pushed.refusal] } : done
}

function takeErrors({ given }: OpenView, errors: Record<string, string>): Errors | { faults: string[] } {
  const inputs = elementsIn(given.blocks).flatMap(({ input, block_id }) => (input ? [block_id] : []))
  const strangers = Object.keys(errors).filter((block_id) => !inputs.includes(block_id))
  if (strangers.length)
    return { faults: strangers.map((block_id) => `"${block_id}" is no input block of this view`) }
  return Object.keys(errors).length ? { errors } : { faults: ['errors is empty'] }
}

/** What was put into a form is shared with the app that asked for it. */
function giveFilesToApp(slack: Slack, { values }: ViewState): void {
  for (const entries of Object.values(values))
    for (const { files } of Object.values(entries))
      for (const { id } of (files as { id: string }[] | undefined) ?? [])
        slack.files.get(id)?.givenTo.add(slack.app.botUser)
}

/** Where a select of conversations asked for it, the app may answer there. */
function responseUrlsOf(slack: Slack, view: OpenView, state: ViewState) {
  return elementsIn(view.given.blocks).flatMap(({ block_id, element }) => {
    const held = state.values[block_id]?.[element.action_id]
    const channel_id = held?.selected_conversation ?? held?.selected_channel
    if (!('response_url_enabled' in element && element.response_url_enabled) || !channel_id) return []
    const place = { channel: String(channel_id), user: view.user }
    const response_url = makeResponseUrl(slack, { for: 'actions', ...place })
    return [{ block_id, action_id: element.action_id, channel_id, response_url }]
  })
}
