import type { ViewOutput } from '@slack/bolt'
import { DateTime } from 'luxon'
import { formatTime } from '../../time/describe.ts'
import type { Actor } from '../slack/actor.ts'
import type { Bot } from '../slack/bot.ts'
import type { Request } from '../slack/feature.ts'
import { escapeText, truncate } from '../slack/message-blocks.ts'
import { readSlackFile } from '../slack/slack-file.ts'
import { firstValue } from './fields.ts'
import { type Form, toAttachment } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import { enteredInput, type FormState, inputState } from './form-state.ts'
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

const hasInput = ({ form_values }: Pick<UnfinishedForm, 'form_values'>): boolean =>
  Object.values(form_values).some(
    (value) => (Array.isArray(value) || typeof value === 'string') && value.length,
  )

const MAX_QUOTE_LENGTH = 30

/** Quotes the form's text, because the form closed last may be another one, whose text never reached the bot. */
function continueLabel({ form_values, saved_at }: UnfinishedForm, { profile }: Request): string {
  const text = Object.values(form_values).find((value) => typeof value === 'string' && value.trim())
  const quote = text ? `"${truncate(String(text).trim().replaceAll('\n', ' '), MAX_QUOTE_LENGTH)}" ` : ''
  return `Continue ${quote}from ${formatTime(DateTime.fromJSDate(saved_at, { zone: profile.zone }))}`
}

type RestoredInput = {
  values: FormValues
  message: string
  metadata: Pick<FormMetadata, 'attachment' | 'missingFile'>
}

/** The columns that store a form's input, so that the user can continue the form after closing it. */
export const toInputColumns = (form: Form, { values, project, metadata }: FormState, view: ViewOutput) => ({
  form: form.verb,
  form_values: { ...values, ...savedFile(form, metadata, view) },
  project_id: project?.Id ?? null,
  replaces: metadata.replaces ?? null,
})

/** Upnext may read the file of a message, but a picked file only once its form has been submitted. */
function savedFile(
  { upload }: Form,
  { attachment, missingFile }: FormMetadata,
  view: ViewOutput,
): FormValues | undefined {
  if (!upload) return undefined
  const file = attachment?.field === upload.file ? attachment.input.files?.[0] : undefined
  const picked = readSlackFile(enteredInput(view, upload.file).files?.[0])
  const label = file?.name ?? picked?.name ?? missingFile
  return label === undefined
    ? undefined
    : { [upload.file]: { value: file ? JSON.stringify(file) : '', label } }
}

/** Restores the input of an earlier form into empty fields. A status other than "Scheduled" replaces the default. */
export async function restoreUnfinishedInput(
  form: Form,
  {
    bot,
    actor,
    view,
    action_ts: changed_ts,
  }: { bot: Bot; actor: Actor; view: ViewOutput; action_ts: string },
  { metadata, values: entered, project, projects }: FormState,
): Promise<RestoredInput> {
  const { team_id, user_id } = actor
  const from = metadata.unfinished?.view_id ?? ''
  const move = { form: form.verb, from, view_id: view.id, changed_ts }
  const earlier = await continueForm(bot.db, { team_id, user_id, ...move })
  if (!earlier || !hasInput(earlier)) return { values: {}, message: NOT_STORED, metadata: {} }
  const { form_values, project_id } = earlier
  const isEmpty = (value: FormValue) => !value || (Array.isArray(value) && !value.length)
  const isSameProject = project_id === project?.Id
  const values = Object.fromEntries(
    Object.entries(form_values).filter(
      ([name, value]) =>
        name !== form.upload?.file &&
        (isSameProject || !form.fields[name]?.belongsToProject) &&
        (isEmpty(entered[name]) || (name === 'Status' && firstValue(value) !== 'SCHEDULED')),
    ),
  )
  const listed = Array.isArray(projects) ? projects : []
  const name = listed.find(({ Id }) => Id === project_id)?.Name ?? 'another project'
  const message =
    project_id && !isSameProject
      ? `You started this form in ${escapeText(name)}. Check the project before you submit it.`
      : ''
  return { values, message, metadata: restoreFile(form, { metadata, view }, form_values) }
}

const NOT_STORED = 'That form was submitted, or is too old to be continued.'

/** The file of the earlier form, unless this form has another one or can't have any. */
function restoreFile(
  { upload }: Form,
  { metadata, view }: { metadata: FormMetadata; view: ViewOutput },
  saved: FormValues,
): RestoredInput['metadata'] {
  const file = upload && saved[upload.file]
  if (!file || typeof file !== 'object' || Array.isArray(file)) return {}
  const hasOther = [upload.file, upload.link].some((name) => {
    const { files, value } = inputState(view, name)
    return files?.length || value
  })
  if (hasOther || metadata.unavailableFields?.[upload.file]) return {}
  if (!file.value) return { missingFile: file.label }
  return { attachment: toAttachment(upload.file, JSON.parse(file.value)) }
}
