import { isDeepStrictEqual } from 'node:util'
import { endRun } from '../../jobs/job-store.ts'
import type { Form } from '../forms/form.ts'
import { type DeliveryOutcome, REPLACED_TOO_LATE, refuseField, refuseWithMessage } from '../forms/outcome.ts'
import { fileToUpload, type ValidSubmission } from '../forms/submission.ts'
import { recordAction } from '../slack/audit.ts'
import { acceptItem, withdrawItem } from './accept-items-store.ts'
import { recordOutcome } from './record-outcome.ts'
import { supportsIdempotencyKeys } from './send-item.ts'
import { isDone, itemLogFields } from './tables.ts'

/** Stores a submission before the first attempt. If the result isn't clear in time, the outbox takes over. */
export async function deliverThroughOutbox(submission: ValidSubmission): Promise<DeliveryOutcome> {
  const { form, bot, actor, profile, view, state, project, body, replaces, opened, resultWarnings } =
    submission
  const { db, log, runtime } = bot
  const { parts, reason = '' } = form.creation?.split?.(bot, body) ?? { parts: [] }
  const [first = { body, form_values: state.values }, ...rest] = parts
  const newItem = {
    id: runtime.newId(),
    view_id: view.id,
    team_id: actor.team_id,
    user_id: actor.user_id,
    user_team_id: profile.team_id,
    channel_id: state.metadata.channel ?? null,
    form: form.verb,
    project_id: project.Id,
    project_name: project.Name,
    notify_channel: state.notifyChannel ?? false,
    ...first,
    ...(!rest.length && { form_values: state.values }),
    slack_file: fileToUpload(form, body) ?? null,
    opened_record: opened ?? null,
    replaces,
    usesIdempotencyKey: supportsIdempotencyKeys(bot, form),
    batch_id: rest.length ? runtime.newId() : null,
    isHeld: form.creation?.holding?.isHeld(body) ?? false,
    warnings: resultWarnings.join('\n') || null,
  }
  const others = rest.map((part) => ({ ...newItem, ...part, id: runtime.newId() }))
  const acceptance = await acceptItem(db, newItem, runtime, { reserve: form.creation?.reserve, others })
  if (['accepted', 'queued', 'uploading'].includes(acceptance.kind))
    for (const item of [newItem, ...others]) log.info(itemLogFields(item), 'Accepted a submission')
  if (acceptance.kind === 'reserved') return refuseField(acceptance.field, acceptance.message)
  if (acceptance.kind === 'too late') return refuseWithMessage(REPLACED_TOO_LATE)
  if (acceptance.kind === 'uploading') return { kind: 'uploading' }
  if (acceptance.kind === 'queued')
    return others.length ? { kind: 'split', count: others.length + 1, reason } : { kind: 'queued' }
  if (acceptance.kind === 'repeated') {
    const { item } = acceptance
    // After a double click, or if the first response didn't reach Slack, only the first submission counts.
    if (!isDeepStrictEqual(withoutLink(form, item.body), withoutLink(form, newItem.body)))
      return refuseWithMessage(
        'You already submitted this form with different values. See `/upnext outbox`, or open a new form.',
      )
    return { kind: isDone(item) ? 'repeated' : 'in progress' }
  }
  const { item, job } = acceptance
  const sender = { ...actor, request_id: item.id }
  const outcome = await form.send(first.body, { ...submission, actor: sender })
  if (outcome.kind === 'refused')
    await recordAction(
      { ...submission, actor: sender },
      { action: form.verb, outcome: 'refused', project_id: project.Id, after: body },
    )
  // A refused form stays open, so the item would only get in the way of its next submission.
  const recording =
    outcome.kind === 'refused'
      ? withdrawItem(db, item, acceptance.replaced, runtime.now())
      : recordOutcome(bot, { item, job, form }, outcome, {
          shouldNotify: false,
          mayExist: false,
          latestSendTime: form.creation?.getLatestSendTime?.(body),
        }).then((next) => endRun(db, job, next))
  const isRecorded = await recording.then(
    () => true,
    (err) => {
      log.error({ err, item: item.id }, 'Failed to record the outcome of an item')
      return false
    },
  )
  // An item that stays unconfirmed is looked up later, and announced then.
  return isRecorded || outcome.kind !== 'done' ? outcome : { kind: 'unrecorded' }
}

/** Leaves out the link of an uploaded file, because an item gets this link only after its submission. */
const withoutLink = ({ upload }: Form, body: Record<string, unknown> | null) =>
  upload && body ? { ...body, [upload.link]: body[upload.file] ? undefined : body[upload.link] } : body
