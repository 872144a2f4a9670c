import type { WebClient } from '@slack/web-api'
import {
  askAboutItem,
  endItem,
  leaseNextItem,
  markCalling,
  postponeItem,
  settleItem,
  unclaimed,
} from '../../store/outbox.ts'
import { markTold, takeUntold } from '../../store/outbox-telling.ts'
import type { OutboxItem } from '../../store/tables.ts'
import type { Bot } from '../bot.ts'
import type { Form } from '../form/form.ts'
import { bodyOf, failureOf, projectOf } from './item.ts'
import { showOnHome, tellOutcome } from './tell-outcome.ts'
import { pause, type Verdict, verdict } from './verdict.ts'

export type Working = { bot: Bot; client: WebClient; forms: Form[] }

type Person = { team_id: string; user_id: string }

/** For one call, and for each page of what is looked up before it; all of them fit into the lease. */
const CALL_MS = 15_000

/** What could not be sent in a day is not wanted any more, as far as anybody can tell. */
const PATIENCE_MS = 24 * 60 * 60 * 1000

const TELL_AGAIN_MS = 60_000
const TELL_FOR_MS = 3 * 24 * 60 * 60_000

/** Does what is due of a person's, one after the other, and tells them what has come of it. */
export async function workFor(working: Working, person: Person): Promise<void> {
  const { db, runtime } = working.bot
  await tellUntold(working, person)
  for (;;) {
    const item = await leaseNextItem(db, person, runtime.now())
    if (!item) return
    await bringForward(working, item)
    await tellUntold(working, person)
  }
}

async function bringForward(working: Working, item: OutboxItem): Promise<void> {
  const { bot, client } = working
  const { api, db, runtime } = bot
  const form = formOf(working, item)
  if (item.state === 'unclear' && (await lookFor(form, bot, item)) === 'done') return
  const called_at = runtime.now()
  if (isOverdue(item, called_at)) {
    await endItem(db, item, { state: 'given up', failure: failureOf(item) }, called_at)
    return
  }
  if (!(await markCalling(db, item, called_at))) return
  const { team_id, user_id, channel_id } = item
  const asker = { team_id, user_id, channel_id: channel_id ?? undefined, client }
  const sending = { bot, api, asker, project: projectOf(item), deadlineMs: CALL_MS, picked: '' }
  const outcome = await form.send(bodyOf(item), sending)
  const tried = { now: runtime.now(), called_at, tries: item.tries + 1, random: runtime.random }
  await conclude(bot, form, item, verdict(outcome, tried))
}

function formOf({ forms }: Working, { verb }: OutboxItem): Form {
  const form = forms.find((one) => one.verb === verb)
  if (!form) throw new Error(`There is no form "${verb}" for what is in the outbox.`)
  return form
}

const isOverdue = ({ accepted_at }: OutboxItem, now: Date) =>
  now.getTime() - accepted_at.getTime() > PATIENCE_MS

/** Whether an unclear one is there after all: before that is known it is not sent again. */
async function lookFor(form: Form, bot: Bot, item: OutboxItem): Promise<'done' | 'not there'> {
  const { api, db, runtime } = bot
  const sending = { api, project: projectOf(item), deadlineMs: CALL_MS }
  const seen = (await form.creates?.find?.(bodyOf(item), sending)) ?? { kind: 'cannot tell' as const }
  if (seen.kind === 'cannot tell' || (seen.kind === 'failed' && isOverdue(item, runtime.now()))) {
    await askAboutItem(db, item, runtime.now())
    return 'done'
  }
  if (seen.kind === 'failed') {
    const due_at = new Date(runtime.now().getTime() + pause(item.tries, runtime.random))
    await postponeItem(db, item, { state: 'unclear', due_at, failure: seen.failure })
    return 'done'
  }
  const ids = seen.found.map(({ id }) => id)
  for (const record_id of await unclaimed(db, item, ids)) {
    const data = seen.found.find(({ id }) => id === record_id)?.data
    const ending = { data, record_id, isFound: true, isUntold: true }
    if (await settleItem(db, item, ending, runtime.now())) return 'done'
  }
  return 'not there'
}

/** Writes down what became of it. */
export async function conclude(
  { db, runtime }: Bot,
  form: Form,
  item: OutboxItem,
  decided: Verdict,
  { isUntold = true } = {},
): Promise<void> {
  const now = runtime.now()
  if (decided.kind === 'settled') {
    const record_id = form.creates?.idOf(decided.data)
    await settleItem(db, item, { data: decided.data, record_id, isFound: false, isUntold }, now)
  } else if (decided.kind === 'refused')
    await endItem(db, item, { state: 'refused', failure: decided.failure }, now)
  else await postponeItem(db, item, { ...decided, state: decided.kind })
}

async function tellUntold(working: Working, person: Person): Promise<void> {
  const { db, log, runtime } = working.bot
  for (;;) {
    const now = runtime.now()
    const again_at = new Date(now.getTime() + TELL_AGAIN_MS)
    const item = await takeUntold(db, person, { now, again_at })
    if (!item) return
    try {
      await tellOutcome(working, formOf(working, item), item)
      await markTold(db, item)
      if (item.state === 'settled') await showOnHome(working, item)
    } catch (error) {
      log.error({ err: error, item: item.id }, 'a person could not be told what became of theirs')
      // Who cannot be reached for days is not there any more.
      const since = item.ended_at ?? item.accepted_at
      if (now.getTime() - since.getTime() > TELL_FOR_MS) await markTold(db, item)
    }
  }
}
