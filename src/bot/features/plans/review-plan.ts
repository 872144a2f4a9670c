import { z } from 'zod'
import type { PostBody } from '../../../api/records.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import type { BatchItem } from '../../outbox/outbox-store.ts'
import { recordAction } from '../../slack/audit.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { context, messageView, textReply } from '../../slack/message-blocks.ts'
import { accessForModal, WRITE_ACCESS } from '../../slack/permissions.ts'
import { POST_FORM } from '../posts/post-form.ts'
import type { OpenedPost } from '../posts/post-reference.ts'
import { type PostInput, toPostBody } from '../posts/post-upload.ts'
import { schedulePost } from '../posts/schedule-post.ts'
import { describeRow } from './check-rows.ts'
import { REVIEW_ACTION, UNDO_ACTION } from './plan-message.ts'
import { findLatestPlan, findOwnPlan, replaceRow, sendPlan, undoPlan, updatePlan } from './plan-store.ts'
import {
  BACK_ACTION,
  countPosts,
  DRAFTS_ACTION,
  FIX_ACTION,
  MORE_ACTION,
  REVIEW_TITLE,
  readyRows,
  reviewView,
  SCHEDULE_ACTION,
} from './review-view.ts'
import type { Plan, PlanRow } from './tables.ts'

const ACCESS = accessForModal('write', REVIEW_TITLE)

const RowReference = z.object({ id: z.uuid(), row: z.int() })
const PageReference = z.object({ id: z.uuid(), page: z.int().min(0) })

/** A row isn't a post yet, so it has no id. */
type OpenedRow = OpenedPost & { row: number }

// A plan has links to media, no files.
const { upload: _upload, fields, ...ROW_FORM } = POST_FORM
const { MediaFile: _file, AltText: _altText, ...ROW_FIELDS } = fields

/** The form for one row of a plan. */
const rowForm = defineForm<PostInput, { plan: Plan | undefined }, OpenedRow>({
  ...ROW_FORM,
  verb: 'review',
  help: 'Continue to review a plan that you imported.',
  title: 'Change a row',
  submitLabel: 'Save',
  permission: 'write',
  fields: ROW_FIELDS,
  send: async (body, { bot, actor, opened }) => {
    if (!opened) throw new Error('The form was opened without a row.')
    const own = await findOwnPlan(bot.db, actor, opened.record_id)
    const plan = own && (await replaceRow(bot.db, own.id, describeRow(opened.row, body)))
    return { kind: 'done', result: { plan } }
  },
  successReply: () => textReply('Saved.'),
  nextActions: () => [],
  successView: ({ plan }, viewer) =>
    plan ? reviewView(plan, viewer) : messageView(REVIEW_TITLE, context(NOT_IN_REVIEW)),
})

const SENT_MESSAGE = 'This plan was already sent.'
const NOT_IN_REVIEW = "This plan isn't in review anymore."

export const reviewPlan: Feature & typeof rowForm = {
  ...rowForm,
  access: ACCESS,
  run: async (request) => {
    const plan = await findLatestPlan(request.bot.db, request.actor)
    if (!plan)
      return request.reply(textReply('There is no plan to review. Import one with `/upnext import`.'))
    await showReview(request, plan)
  },
  actions: {
    [REVIEW_ACTION]: { access: ACCESS, run: (request) => withPlan(request, request.text, showReview) },
    [BACK_ACTION]: { access: ACCESS, run: turnPage },
    [MORE_ACTION]: { access: ACCESS, run: turnPage },
    [FIX_ACTION]: { access: accessForModal('write', 'Change a row'), run: fixRow },
    [SCHEDULE_ACTION]: { access: WRITE_ACCESS, run: (request) => withPlan(request, request.text, send) },
    [DRAFTS_ACTION]: {
      access: WRITE_ACCESS,
      run: (request) => withPlan(request, request.text, (_, plan) => send(request, plan, 'DRAFT')),
    },
    [UNDO_ACTION]: { access: WRITE_ACCESS, run: undo },
  },
}

async function withPlan(
  request: Request,
  id: string,
  show: (request: Request, plan: Plan) => Promise<void>,
): Promise<void> {
  const plan = await findOwnPlan(request.bot.db, request.actor, id)
  if (plan?.state === 'review') return show(request, plan)
  const message = plan && plan.state !== 'closed' ? SENT_MESSAGE : 'This plan is over. Import it again.'
  await request.open(messageView(REVIEW_TITLE, context(message)))
}

const viewerOf = ({ bot, profile }: Request) => ({ zone: profile.zone, now: bot.runtime.now() })

async function showReview(request: Request, plan: Plan, page = 0): Promise<void> {
  await request.open(reviewView(plan, viewerOf(request), page))
}

function turnPage(request: Request): Promise<void> {
  const { id, page } = PageReference.parse(JSON.parse(request.text))
  return withPlan(request, id, (_, plan) => showReview(request, plan, page))
}

function fixRow(request: Request): Promise<void> {
  const { id, row } = RowReference.parse(JSON.parse(request.text))
  return withPlan(request, id, async (_, { rows, project_id }) => {
    const found = rows.find(({ number }) => number === row)
    if (!found) throw new Error(`The plan has no row ${row}.`)
    const seen_at = request.bot.runtime.now().toISOString()
    const opened: OpenedRow = { project_id, record_id: id, post_id: '', etag: '', seen_at, row }
    const draft = { values: found.values, messages: found.problems, opened }
    await openForm(rowForm, request, { project_id, draft })
  })
}

/** Puts the posts into the outbox. Posts whose time has passed since the plan was read are shown instead. */
async function send(request: Request, plan: Plan, Status?: 'DRAFT'): Promise<void> {
  const { bot, actor, profile } = request
  const { db, runtime } = bot
  const now = runtime.now()
  const hasPassed = ({ body }: PlanRow) =>
    !Status && body?.Status !== 'DRAFT' && new Date(body?.ScheduleDate ?? 0) < now
  const ready = readyRows(plan)
  if (ready.some(hasPassed)) {
    const rows = plan.rows.map((row) =>
      ready.includes(row) && hasPassed(row) ? { ...row, problems: ['When: that time has passed.'] } : row,
    )
    await updatePlan(db, plan.id, { rows })
    return showReview(request, { ...plan, rows })
  }
  const { team_id, user_id } = actor
  const toItem = (row: PlanRow): BatchItem => ({
    ...{ id: runtime.newId(), team_id, user_id, user_team_id: profile.team_id, channel_id: null },
    ...{ form: schedulePost.verb, project_id: plan.project_id, project_name: plan.project_name },
    ...{ notify_channel: false, batch_id: plan.id },
    form_values: { ...row.values, ...(Status && { Status }) },
    body: toPostBody(bot, { ...row.body, ...(Status && { Status }) } as PostBody) as Record<string, unknown>,
  })
  const sent = await sendPlan(db, plan.id, (locked) => readyRows(locked).map(toItem), now)
  if (sent)
    await recordAction(request, {
      action: SCHEDULE_ACTION,
      outcome: 'done',
      project_id: plan.project_id,
      target: plan.id,
      after: { posts: ready.length },
    })
  const message = sent
    ? `:hourglass: Sending ${countPosts(ready.length)}. The progress is in your messages from Upnext.`
    : SENT_MESSAGE
  await request.open(messageView(REVIEW_TITLE, context(message)))
}

async function undo(request: Request): Promise<void> {
  const { bot, actor, text: id } = request
  const own = await findOwnPlan(bot.db, actor, id)
  const plan = own && (await undoPlan(bot.db, id, bot.runtime.now()))
  if (!plan)
    return request.reply(textReply("It's too late to undo this. Cancel single posts with `/upnext cancel`."))
  await recordAction(request, {
    action: UNDO_ACTION,
    outcome: 'done',
    project_id: plan.project_id,
    target: id,
  })
}
