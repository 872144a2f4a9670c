import { created } from '../answer.ts'
import { brokenRule, type Fault, missing } from '../checks/fault.ts'
import { choice, list, moment, text, timezone } from '../checks/fields.ts'
import { isId } from '../checks/id.ts'
import { placeMoment } from '../checks/moment.ts'
import { LIMITS } from '../limits.ts'
import { type DoubtfulCall, operation } from '../operation.ts'
import { postRecord } from '../records.ts'
import { insertPost } from '../storage/posts.ts'
import { findPrompt } from '../storage/prompts.ts'
import { findTemplate } from '../storage/templates.ts'
import { PLATFORMS } from '../vocabulary.ts'

const body = {
  Content: text(LIMITS.content).optional(),
  Media: text(LIMITS.media).optional(),
  TemplateId: text(LIMITS.name).optional(),
  PromptId: text(LIMITS.name).optional(),
  ScheduleDate: moment().optional(),
  Timezone: timezone().optional(),
  Platforms: list(choice(PLATFORMS)).optional(),
  Status: choice(['DRAFT', 'SCHEDULED']).optional(),
}

type PostCall = DoubtfulCall<Record<never, never>, typeof body>

export const createPost = operation({
  id: 'createPost',
  method: 'POST',
  path: '/api/v1/projects/{project_id}/posts',
  needs: 'EDITOR',
  body,
  rules: async (call) => [
    ...whatSchedulingLacks(call),
    ...scheduleFaults(call),
    ...(await referenceFaults(call)),
  ],
  async answer({ db, now, project_id, body, log }) {
    const post = await insertPost(db, {
      project_id,
      created_at: now,
      content: body.Content ?? null,
      media: body.Media ?? null,
      template_id: body.TemplateId ?? null,
      prompt_id: body.PromptId ?? null,
      schedule_date: dateOf(body) ?? null,
      timezone: body.Timezone ?? null,
      platforms: body.Platforms ?? [],
      status: statusOf(body),
    })
    const record = postRecord(post)
    const message =
      post.status === 'DRAFT'
        ? 'Saved a draft.'
        : `Scheduled a post for ${record.ScheduleDate} (${post.timezone}) on ${post.platforms.join(', ')}.`
    await log({ action: 'post.created', message, target_id: post.id })
    return created(record)
  },
})

type PostBody = PostCall['body']

/** A date without a status says that the post is to go out then. */
const statusOf = ({ Status, ScheduleDate }: PostBody) => Status ?? (ScheduleDate ? 'SCHEDULED' : 'DRAFT')

/** What it is meant to be, also where the date that says so cannot be read. */
const isMeantToGoOut = ({ body, has }: PostCall) =>
  body.Status === 'SCHEDULED' || (!has('Status') && has('ScheduleDate'))

const dateOf = ({ ScheduleDate, Timezone }: PostBody) =>
  ScheduleDate && placeMoment(ScheduleDate, Timezone ?? 'utc')

function whatSchedulingLacks(call: PostCall): Fault[] {
  if (!isMeantToGoOut(call)) return []
  const { body, has } = call
  const faults: Fault[] = []
  if (
    !CONTENTS.some((field) => (body[field] ?? '').trim() !== '' || (has(field) && body[field] === undefined))
  )
    faults.push(
      brokenRule(
        ['body', 'Content'],
        'a scheduled post needs Content, Media, TemplateId or PromptId',
        body.Content ?? null,
      ),
    )
  for (const field of ['ScheduleDate', 'Timezone', 'Platforms'] as const)
    if (!has(field)) faults.push(missing(['body', field], body))
  if (body.Platforms?.length === 0)
    faults.push({
      type: 'too_short',
      loc: ['body', 'Platforms'],
      msg: 'List should have at least 1 item after validation, not 0',
      input: [],
      ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
    })
  return faults
}

const CONTENTS = ['Content', 'Media', 'TemplateId', 'PromptId'] as const

function scheduleFaults({ body, has, now }: PostCall): Fault[] {
  const { ScheduleDate, Timezone } = body
  if (!ScheduleDate || (has('Timezone') && !Timezone)) return []
  const isWallClock = ScheduleDate.offsetMinutes === undefined
  if (isWallClock && !Timezone)
    return statusOf(body) === 'SCHEDULED' ? [] : [missing(['body', 'Timezone'], body)] // a scheduled post misses it already
  const date = dateOf(body)
  const shown = ScheduleDate.text
  if (!date)
    return [
      brokenRule(
        ['body', 'ScheduleDate'],
        `${shown} does not exist in ${Timezone}: the clocks go forward then`,
        shown,
      ),
    ]
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999)
    return [brokenRule(['body', 'ScheduleDate'], 'ScheduleDate must be in the years 1 to 9999', shown)]
  if (statusOf(body) === 'SCHEDULED' && date <= now)
    return [
      brokenRule(['body', 'ScheduleDate'], 'a scheduled post needs a ScheduleDate in the future', shown),
    ]
  return []
}

async function referenceFaults({ db, project_id, body }: PostCall): Promise<Fault[]> {
  const { TemplateId, PromptId } = body
  const [template, prompt] = await Promise.all([
    TemplateId !== undefined ? isId(TemplateId) && findTemplate(db, project_id, TemplateId) : 'none',
    PromptId !== undefined ? isId(PromptId) && findPrompt(db, project_id, PromptId) : 'none',
  ])
  const faults: Fault[] = []
  if (!template)
    faults.push(brokenRule(['body', 'TemplateId'], 'the project has no such template', TemplateId))
  if (!prompt) faults.push(brokenRule(['body', 'PromptId'], 'the project has no such prompt', PromptId))
  return faults
}
