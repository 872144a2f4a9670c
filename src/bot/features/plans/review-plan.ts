import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { PostBody } from '../../../api/records.ts'
import { addMs } from '../../../runtime.ts'
import type { Db } from '../../database/tables.ts'
import { CONFIRMED_WARNING_PREFIX } from '../../forms/confirmation.ts'
import { firstValue } from '../../forms/fields.ts'
import { defineForm, openForm } from '../../forms/open-form.ts'
import { refuseField } from '../../forms/outcome.ts'
import type { BatchItem } from '../../outbox/accept-items-store.ts'
import { recordAction } from '../../slack/audit.ts'
import type { Bot } from '../../slack/bot.ts'
import { type ButtonPress, noProject, type Request } from '../../slack/feature.ts'
import { context, escapeText, messageView, textReply } from '../../slack/message-blocks.ts'
import { pageActions } from '../../slack/paged-list.ts'
import { accessForModal, WRITE_ACCESS } from '../../slack/permissions.ts'
import { formatPostCount } from '../posts/display/post-blocks.ts'
import type { OpenedPost } from '../posts/display/post-reference.ts'
import { HELD, isHeld } from '../posts/display/post-states.ts'
import { editPost } from '../posts/edit-post.ts'
import { POST_FORM, unavailableStates } from '../posts/form/post-form.ts'
import { type PostInput, toPostBody } from '../posts/form/post-input.ts'
import { schedulePost } from '../posts/schedule-post.ts'
import { reserveSlotsForItems } from '../posts/slots/reserve-slot.ts'
import { addDescription, compareRows, notComparedNote, toPlanRow } from './check-rows.ts'
import { REVIEW_ACTION } from './plan-message.ts'
import { changeRows, findLatestPlan, findOwnPlan, sendPlan, updatePlan } from './plan-store.ts'
import {
  DRAFTS_ACTION,
  FIX_ACTION,
  REVIEW_TITLE,
  reviewVersion,
  reviewView,
  SCHEDULE_ACTION,
  warningsOf,
} from './review-view.ts'
import { type Plan, type PlanRow, readyRows } from './tables.ts'
import { UNDO_ACTION, undoPlan } from './undo-plan.ts'

const ACCESS = accessForModal('write', REVIEW_TITLE)

const RowReference = z.object({ id: z.uuid(), row: z.int() })
const PageReference = z.object({ id: z.uuid(), page: z.int().min(0) })

/** A row has no id of its own, so `record_id` is the plan's id. */
type OpenedRow = OpenedPost & { row: number }

// A plan has links to media, but no files.
const { upload: _upload, fields, ...ROW_FORM } = POST_FORM
const { MediaFile: _file, AltText: _altText, ...ROW_FIELDS } = fields

/** Shows a plan. The form is for one of its rows. */
export const reviewPlan = defineForm<PostInput, { plan: Plan | undefined }, OpenedRow>({
  ...ROW_FORM,
  verb: 'review',
  help: 'Continue reviewing a plan that you imported.',
  title: 'Change a row',
  submitLabel: 'Save',
  permission: 'write',
  access: ACCESS,
  run: async (request) => {
    const plan = await findLatestPlan(request.bot.db, request.actor)
    if (!plan)
      return request.reply(textReply('There is no plan to review. Import one with `/upnext import`.'))
    await showReview(request, plan)
  },
  actions: {
    [REVIEW_ACTION]: {
      access: ACCESS,
      projectOf: noProject,
      run: (request) => withPlan(request, request.text, showReview),
    },
    ...pageActions('plan', { access: ACCESS, projectOf: noProject, run: turnPage }),
    [FIX_ACTION]: {
      access: accessForModal('write', 'Change a row'),
      projectOf: noProject,
      run: openRowForm,
    },
    [SCHEDULE_ACTION]: {
      access: WRITE_ACCESS,
      projectOf: projectOfPlan,
      run: (request) => withPlan(request, request.text, (_, plan) => send(request, plan)),
    },
    [DRAFTS_ACTION]: {
      access: WRITE_ACCESS,
      projectOf: projectOfPlan,
      run: (request) => withPlan(request, request.text, (_, plan) => send(request, plan, 'DRAFT')),
    },
    [UNDO_ACTION]: { access: WRITE_ACCESS, projectOf: projectOfPlan, run: undoPlan },
  },
  unavailableOptions: (user, { values }) => unavailableStates(user, values, []),
  fields: ROW_FIELDS,
  send: async (body, { bot, actor, opened, deadline }) => {
    const own = await findOwnPlan(bot.db, actor, opened.record_id)
    const before = own?.rows.find(({ number }) => number === opened.row)
    if (before?.opened?.is_held && !isHeld(body))
      return refuseField(
        'Status',
        "Upnext holds this post, so it can't become a scheduled post or a draft here.",
      )
    if (before?.opened && !before.opened.is_held && body.Status === HELD)
      return refuseField('Status', "This post is already in the scheduling service, so Upnext can't hold it.")
    // The form has no field for the description of an upload.
    const isSameMedia = firstValue(before?.values.Media) === (body.Media ?? '')
    const AltText = isSameMedia && firstValue(before?.values.AltText)
    const described = toPlanRow(opened.row, { ...body, ...(AltText && { AltText }) })
    const changedRow = { ...before, ...described, isInSlot: false, isPresent: false }
    const row = await addDescription(bot, actor.team_id, changedRow)
    const changed =
      own && (await changeRows(bot.db, own.id, (other) => (other.number === row.number ? row : other)))
    const saved = changed && (await findOwnPlan(bot.db, actor, changed.id))
    const compared = saved && (await compareRows(bot, saved, saved.rows, { deadline }))
    const plan = compared ? await storeComparison(bot.db, saved, compared) : saved
    return { kind: 'done', result: { plan } }
  },
  successReply: () => textReply('Saved.'),
  successView: ({ plan }, viewer) =>
    plan ? reviewView(plan, viewer) : messageView(REVIEW_TITLE, context(NOT_IN_REVIEW)),
})

const ALREADY_SENT = 'This plan was already sent.'
const NOT_IN_REVIEW = "This plan isn't in review anymore."
const NOT_REVIEWABLE = "This plan can't be reviewed anymore. If it wasn't scheduled, import it again."

async function projectOfPlan({ bot, actor, text: id }: ButtonPress): Promise<string | undefined> {
  const plan = await findOwnPlan(bot.db, actor, planIdOf(id))
  return plan?.project_id
}

const planIdOf = (value: string): string => value.split(' ')[0] ?? ''

async function withPlan(
  request: Request,
  id: string,
  run: (request: Request, plan: Plan) => Promise<void>,
): Promise<void> {
  const plan = await findOwnPlan(request.bot.db, request.actor, planIdOf(id))
  if (plan?.state === 'review') return run(request, plan)
  const message = plan && plan.state !== 'closed' ? ALREADY_SENT : NOT_REVIEWABLE
  await request.open(messageView(REVIEW_TITLE, context(message)))
}

const viewerOf = ({ bot, viewer }: Request) => ({ ...viewer, bot })

async function showReview(request: Request, plan: Plan, page = 0): Promise<void> {
  await request.open(reviewView(plan, viewerOf(request), page))
}

function turnPage(request: Request): Promise<void> {
  const { id, page } = PageReference.parse(JSON.parse(request.text))
  return withPlan(request, id, (_, plan) => showReview(request, plan, page))
}

function openRowForm(request: Request): Promise<void> {
  const { id, row } = RowReference.parse(JSON.parse(request.text))
  return withPlan(request, id, async (_, { rows, project_id }) => {
    const found = rows.find(({ number }) => number === row)
    if (!found || found.isFinal) throw new Error(`The plan has no row ${row} that can be changed.`)
    const seen_at = request.bot.runtime.now().toISOString()
    const { post_id = '' } = found.opened ?? {}
    const times = found.opened ? [found.body, found.time, found.opened] : []
    const { ScheduleDate, Timezone } = times.find((time) => time?.ScheduleDate) ?? {}
    const record = { project_id, record_id: id, post_id, ScheduleDate, Timezone }
    const opened: OpenedRow = { ...record, etag: '', seen_at, row }
    const draft = { values: found.values, messages: found.problems, opened }
    await openForm(reviewPlan, request, { project_id, draft })
  })
}

/** Stores the results of a comparison, except for rows that have changed since it began. */
function storeComparison(db: Db, { id, rows }: Plan, compared: PlanRow[]): Promise<Plan | undefined> {
  return changeRows(db, id, (row) => {
    const index = rows.findIndex(({ number }) => number === row.number)
    return isDeepStrictEqual(row, rows[index]) ? (compared[index] ?? row) : row
  })
}

/** Puts the posts into the outbox. If the review is outdated, shows it again instead. */
async function send(request: Request, plan: Plan, Status?: 'DRAFT'): Promise<void> {
  const { bot, actor, profile } = request
  const { db, runtime } = bot
  const now = runtime.now()
  // The person may have corrected the plan in another window, or Slack may not have shown the latest review.
  const [, seenVersion] = request.text.split(' ')
  if (seenVersion && seenVersion !== reviewVersion(plan)) return showReview(request, plan)
  // An older review may still offer drafts. A scheduled post that became a draft wouldn't go out.
  if (Status && readyRows(plan).some(({ opened }) => opened)) return showReview(request, plan)
  const { rows: checked, isCompared } = await recheckRows(bot, plan, now, Status)
  if (!isCompared && !plan.notes.includes(notComparedNote(plan))) {
    const notes = [...plan.notes, notComparedNote(plan)]
    await updatePlan(db, plan.id, { notes })
    return showReview(request, { ...plan, notes })
  }
  if (checked.some((row, index) => hasUnseenChange(row, plan.rows[index])))
    return showReviewAgain(request, await storeComparison(db, plan, checked))
  const ready = readyRows(plan)
  const { team_id, user_id } = actor
  const toItem = (row: PlanRow): BatchItem => ({
    id: runtime.newId(),
    team_id,
    user_id,
    user_team_id: profile.team_id,
    channel_id: null,
    form: row.opened ? editPost.verb : schedulePost.verb,
    opened_record: row.opened ?? null,
    project_id: plan.project_id,
    project_name: plan.project_name,
    notify_channel: false,
    batch_id: plan.id,
    form_values: { ...row.values, ...(Status && { Status }) },
    body: toPostBody(bot, { ...row.body, ...(Status && { Status }) } as PostBody) as Record<string, unknown>,
    warnings:
      warningsOf(row)
        .map((warning) => CONFIRMED_WARNING_PREFIX + escapeText(warning))
        .join('\n') || null,
  })
  const rowNumbers = new Map<string, number>()
  const toItems = (locked: Plan) =>
    rowsToSend(locked, Status).map((row) => {
      const item = toItem(row)
      rowNumbers.set(item.id, row.number)
      return item
    })
  const reserve = (transaction: Db, items: BatchItem[]) => {
    const newItems = items.filter(({ form }) => form === schedulePost.verb)
    return Status ? Promise.resolve([]) : reserveSlotsForItems(transaction, plan, newItems, now)
  }
  const sent = await sendPlan(db, plan.id, { toItems, reserve }, now)
  if (sent?.length) {
    const rowsWithoutSlot = sent.map((id) => rowNumbers.get(id))
    const fail = (row: PlanRow) =>
      rowsWithoutSlot.includes(row.number) ? { ...row, problems: [SLOT_TAKEN] } : row
    return showReviewAgain(request, await changeRows(db, plan.id, fail))
  }
  if (sent)
    await recordAction(request, {
      action: SCHEDULE_ACTION,
      project_id: plan.project_id,
      target: plan.id,
      after: { posts: ready.length },
    })
  const message = sent
    ? `:hourglass: Sending ${formatPostCount(ready.length)}. Follow the progress in your messages from Upnext.`
    : ALREADY_SENT
  await request.open(messageView(REVIEW_TITLE, context(message)))
}

/** A scheduled post isn't made a draft, even if its row became ready a moment ago. */
const rowsToSend = (plan: Plan, Status: 'DRAFT' | undefined): PlanRow[] =>
  readyRows(plan).filter(({ opened }) => !(Status && opened))

const SLOT_TAKEN = 'When: another post just took this slot. Enter another time.'
const COMPARISON_TIMEOUT_MS = 5000

/**
 * The rows as they are now. If the service can't list posts, only the rows' times are checked. Rows that are saved as drafts
 * are compared with drafts.
 */
async function recheckRows(
  bot: Bot,
  plan: Plan,
  now: Date,
  Status?: 'DRAFT',
): Promise<{ rows: PlanRow[]; isCompared: boolean }> {
  const deadline = addMs(bot.runtime.now(), COMPARISON_TIMEOUT_MS)
  const asSent = plan.rows.map((row) =>
    Status && row.body ? { ...row, body: { ...row.body, Status } } : row,
  )
  const compared = await compareRows(bot, plan, asSent, { deadline })
  if (Status) {
    const rows = plan.rows.map((row, index) => {
      const { isPresent = false, problems } = compared?.[index] ?? row
      // A row whose scheduled post is in the project stays left out.
      return {
        ...row,
        isPresent: row.isPresent || isPresent,
        problems: row.problems.length ? row.problems : problems,
      }
    })
    return { rows, isCompared: compared !== undefined }
  }
  const hasPassed = ({ body }: PlanRow) =>
    body && body.Status !== 'DRAFT' && new Date(body.ScheduleDate ?? 0) < now
  const rows = (compared ?? plan.rows).map((row) =>
    hasPassed(row) && !row.isPresent && !row.problems.length
      ? { ...row, problems: ['When: this time has passed. Enter a later one.'] }
      : row,
  )
  return { rows, isCompared: compared !== undefined }
}

const hasUnseenChange = (row: PlanRow, seen: PlanRow | undefined): boolean =>
  row.problems.length !== seen?.problems.length ||
  Boolean(row.isPresent) !== Boolean(seen.isPresent) ||
  Boolean(row.conflicts?.some((conflict) => !seen.conflicts?.includes(conflict)))

async function showReviewAgain(request: Request, plan: Plan | undefined): Promise<void> {
  if (plan) return showReview(request, plan)
  await request.open(messageView(REVIEW_TITLE, context(ALREADY_SENT)))
}
