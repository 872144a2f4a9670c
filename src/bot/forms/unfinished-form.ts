import type { ViewOutput } from '@slack/bolt'
import { DateTime } from 'luxon'
import { formatTime } from '../../time/describe.ts'
import type { Actor } from '../slack/actor.ts'
import type { Bot } from '../slack/bot.ts'
import type { Request } from '../slack/feature.ts'
import { truncate } from '../slack/message-blocks.ts'
import type { Form } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import type { FormState } from './form-state.ts'
import type { FormValue, FormValues } from './form-value.ts'
import { continueForm, findUnfinishedForm, type UnfinishedForm } from './open-form-store.ts'

/** Offers to continue a form that the user closed without submitting it. */
export async function offerUnfinishedForm(
  { verb }: Form,
  request: Request,
): Promise<FormMetadata['unfinished']> {
  const { bot, actor } = request
  const unfinished = await findUnfinishedForm(bot.db, actor, verb, bot.runtime.now())
  return unfinished && hasInput(unfinished)
    ? { view_id: unfinished.view_id, label: continueLabel(unfinished, request) }
    : undefined
}

const hasInput = ({ form_values }: UnfinishedForm): boolean =>
  Object.values(form_values).some(
    (value) => (Array.isArray(value) || typeof value === 'string') && value.length,
  )

const MAX_QUOTE_LENGTH = 30

/** Quotes the text, because the user may since have closed a newer form whose text never reached the bot. */
function continueLabel({ form_values, saved_at }: UnfinishedForm, { profile }: Request): string {
  const text = Object.values(form_values).find((value) => typeof value === 'string' && value.trim())
  const quote = text ? `"${truncate(String(text).trim().replaceAll('\n', ' '), MAX_QUOTE_LENGTH)}" ` : ''
  return `Continue ${quote}from ${formatTime(DateTime.fromJSDate(saved_at, { zone: profile.zone }))}`
}

/** The input of an earlier form, except for fields with input in this one. The status has a default, so it's always replaced. */
export async function restoreUnfinishedInput(
  form: Form,
  { bot, actor, view }: { bot: Bot; actor: Actor; view: ViewOutput },
  { metadata, values }: FormState,
): Promise<FormValues> {
  const { team_id, user_id } = actor
  const from = metadata.unfinished?.view_id ?? ''
  const earlier = (await continueForm(bot.db, { team_id, user_id, from, view_id: view.id })) ?? {}
  const isEmpty = (value: FormValue) => !value || (Array.isArray(value) && !value.length)
  return Object.fromEntries(
    Object.entries(earlier).filter(
      ([name]) =>
        // The earlier form may have been for another project.
        !form.fields[name]?.belongsToProject && (isEmpty(values[name]) || name === 'Status'),
    ),
  )
}
