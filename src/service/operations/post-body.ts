import { z } from 'zod'
import { hasVisibleText } from '../../platforms/has-visible-text.ts'
import { MAX_TITLE_LENGTHS } from '../../platforms/title-lengths.ts'
import type { RuleContext } from '../operation.ts'
import { listConnectedAccounts } from '../stores/accounts-store.ts'
import { findPrompt, findTemplate } from '../stores/prompts-templates-sources-store.ts'
import { resolveDateTime } from '../validation/date-time.ts'
import { missingField, type ValidationError, valueError } from '../validation/errors.ts'
import {
  dateTimeField,
  isId,
  linkField,
  textField,
  timezoneField,
  uniqueListField,
} from '../validation/fields.ts'
import { PLATFORMS, type Platform } from '../values.ts'
import { MAX_LENGTH } from './field-lengths.ts'

const titleFields = Object.entries(MAX_TITLE_LENGTHS).map(([platform, maxLength]) => [
  platform,
  textField(maxLength).optional(),
])

const textFields = PLATFORMS.map((platform) => [platform, textField(MAX_LENGTH.content).optional()])

export const POST_FIELDS = {
  Content: textField(MAX_LENGTH.content).optional(),
  Media: linkField(MAX_LENGTH.media).optional(),
  MediaDescription: textField(MAX_LENGTH.mediaDescription).optional(),
  Titles: z
    .object(Object.fromEntries(titleFields) as Record<Platform, z.ZodOptional<z.ZodString>>)
    .optional(),
  Texts: z.object(Object.fromEntries(textFields) as Record<Platform, z.ZodOptional<z.ZodString>>).optional(),
  TemplateId: textField(MAX_LENGTH.name).optional(),
  PromptId: textField(MAX_LENGTH.name).optional(),
  ScheduleDate: dateTimeField().optional(),
  Timezone: timezoneField().optional(),
  Platforms: uniqueListField(z.enum(PLATFORMS)).optional(),
  Status: z.enum(['DRAFT', 'SCHEDULED']).optional(),
}

/** A scheduled post needs at least one of these fields. */
const CONTENT_FIELDS = ['Content', 'Media', 'TemplateId', 'PromptId'] as const

export type PostContext = RuleContext<Record<never, never>, typeof POST_FIELDS>
export type PostBody = PostContext['body']

export const checkPostRules = async (context: PostContext): Promise<ValidationError[]> => [
  ...checkRequiredFields(context),
  ...checkScheduleDate(context),
  ...(await checkReferences(context)),
  ...(await checkAccounts(context)),
  ...(await checkTitles(context)),
]

/** A post without a Status is scheduled if it has a ScheduleDate. Otherwise, it's a draft. */
export const getPostStatus = ({ Status, ScheduleDate }: PostBody) =>
  Status ?? (ScheduleDate ? 'SCHEDULED' : 'DRAFT')

export const resolveScheduleDate = ({ ScheduleDate, Timezone }: PostBody) =>
  ScheduleDate && resolveDateTime(ScheduleDate, Timezone ?? 'utc')

function checkRequiredFields({ body, isProvided }: PostContext): ValidationError[] {
  // An invalid ScheduleDate has no value, but it also means that the post should be scheduled.
  const shouldBeScheduled =
    body.Status === 'SCHEDULED' || (!isProvided('Status') && isProvided('ScheduleDate'))
  if (!shouldBeScheduled) return []
  const errors: ValidationError[] = []
  // An invalid content field already has its own error, so it counts as content here.
  const hasContent = CONTENT_FIELDS.some((field) =>
    body[field] === undefined ? isProvided(field) : hasVisibleText(body[field]),
  )
  if (!hasContent) {
    const reason = 'a scheduled post needs Content, Media, TemplateId or PromptId'
    errors.push(valueError('Content', reason, body.Content ?? null))
  }
  for (const field of ['ScheduleDate', 'Timezone', 'Platforms'] as const)
    if (!isProvided(field)) errors.push(missingField(['body', field], body))
  if (body.Platforms?.length === 0)
    errors.push({
      type: 'too_short',
      loc: ['body', 'Platforms'],
      msg: 'List should have at least 1 item after validation, not 0',
      input: [],
      ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
    })
  return errors
}

function checkScheduleDate({ body, isProvided, now }: PostContext): ValidationError[] {
  const { ScheduleDate, Timezone } = body
  if (!ScheduleDate || (isProvided('Timezone') && !Timezone)) return []
  const isScheduled = getPostStatus(body) === 'SCHEDULED'
  if (!ScheduleDate.hasOffset && !Timezone)
    // checkRequiredFields has already reported the missing Timezone of a scheduled post.
    return isScheduled ? [] : [missingField(['body', 'Timezone'], body)]
  const dateError = (reason: string) => [valueError('ScheduleDate', reason, ScheduleDate.text)]
  const date = resolveScheduleDate(body)
  if (!date)
    return dateError(`${ScheduleDate.text} doesn't exist in ${Timezone} because the clocks go forward then`)
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999)
    return dateError('ScheduleDate must be in the years 1 to 9999')
  if (isScheduled && date <= now) return dateError('a scheduled post needs a ScheduleDate in the future')
  return []
}

async function checkReferences({ db, project_id, body }: PostContext): Promise<ValidationError[]> {
  const errors: ValidationError[] = []
  const { TemplateId, PromptId } = body
  if (TemplateId !== undefined && !(isId(TemplateId) && (await findTemplate(db, project_id, TemplateId))))
    errors.push(valueError('TemplateId', "this template doesn't exist in the project", TemplateId))
  if (PromptId !== undefined && !(isId(PromptId) && (await findPrompt(db, project_id, PromptId))))
    errors.push(valueError('PromptId', "this prompt doesn't exist in the project", PromptId))
  return errors
}

async function checkAccounts(context: PostContext): Promise<ValidationError[]> {
  const { db, project_id, body, requireAccounts } = context
  if (!requireAccounts || getPostStatus(body) !== 'SCHEDULED') return []
  const connected = (await listConnectedAccounts(db, [project_id])).map(({ platform }) => platform)
  const missing = (body.Platforms ?? []).filter((platform) => !connected.includes(platform))
  if (!missing.length) return []
  const reason = `this project has no account for ${missing.join(', ')}; ask an admin to connect one`
  return [valueError('Platforms', reason, body.Platforms)]
}

/** These networks reject a post that has neither a title nor text, but only when it is published. */
const NEED_TITLE: Platform[] = ['YOUTUBE', 'REDDIT']

async function checkTitles({ db, project_id, body, isProvided }: PostContext): Promise<ValidationError[]> {
  const { Platforms = [], Titles = {} } = body
  // An invalid field has an error of its own.
  const mayHaveTitle = body.Content === undefined ? isProvided('Content') : hasVisibleText(body.Content)
  const hasInvalidTitle = isProvided('Titles') && !body.Titles
  if (getPostStatus(body) !== 'SCHEDULED' || mayHaveTitle || hasInvalidTitle || isProvided('TemplateId'))
    return []
  const untitled = Platforms.filter(
    (platform) =>
      NEED_TITLE.includes(platform) && !Titles[platform]?.trim() && !body.Texts?.[platform]?.trim(),
  )
  if (!untitled.length) return []
  const accounts = await listConnectedAccounts(db, [project_id])
  const reason = 'enter a title, or enter text to use its first line as the title'
  return accounts
    .filter(({ publisher, platform }) => publisher === 'POSTIZ' && untitled.includes(platform))
    .map(({ platform }) => valueError(['body', 'Titles', platform], reason, null))
}
