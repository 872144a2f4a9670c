import { ERASED } from '../../database/personal-data.ts'
import type { JobHandler } from '../../jobs/job-queue.ts'
import type { Job, NextRun } from '../../jobs/job-store.ts'
import { addMs } from '../../runtime.ts'
import { buildAnnouncement } from '../forms/present-outcome.ts'
import type { WorkerContext } from '../slack/feature.ts'
import { findAdmins } from '../slack/find-admins.ts'
import { isActiveUser } from '../slack/is-active-user.ts'
import { context, mentionUser } from '../slack/message-blocks.ts'
import { notifyByDirectMessage, notifyUserAndChannel } from '../slack/notify.ts'
import { loadProfile } from '../slack/profile.ts'
import { isAccessLost, slackErrorCode } from '../slack/slack-errors.ts'
import { NOTIFICATION } from '../slack/tables.ts'
import { readNotification } from './add-notification.ts'
import { findItem } from './find-items-store.ts'
import { formOf, itemActor } from './item-actor.ts'
import { describeItem } from './item-message.ts'
import { isDone, type OutboxItem } from './tables.ts'

/** At this age, a notification that can't be delivered is dropped. */
const MAX_AGE_MS = 3 * 24 * 60 * 60_000
const RETRY_PAUSE_MS = 60_000

/** Delivers notifications, with retries. Each user's notifications arrive in order. */
export const notificationHandler = (context: WorkerContext): JobHandler => ({
  kind: NOTIFICATION,
  name: 'deliver a notification',
  run: (job) => deliver(context, job),
})

/** Slack's codes for users who can't be reached anymore. */
const UNREACHABLE_CODES = ['user_not_found', 'user_disabled', 'channel_not_found', 'cannot_dm_bot']

async function deliver(worker: WorkerContext, job: Job): Promise<NextRun | undefined> {
  const { bot, client } = worker
  const { db, log, runtime } = bot
  const { team_id, user_id, item_id, message, concernsAdmins } = readNotification(job)
  const isForAdmins = concernsAdmins && !(await isActiveUser(worker, { team_id, user_id }))
  const item = item_id ? await findItem(db, { id: item_id }) : undefined
  try {
    if (item && message) await notifyByDirectMessage(bot, itemActor(item, client), { text: message })
    else if (item) await deliverItemResult(worker, item)
    else if (isForAdmins) await notifyAdmins(worker, job)
    else if (message) await client.chat.postMessage({ channel: user_id, text: message })
  } catch (err) {
    log.warn({ err, user: user_id }, 'Failed to deliver a notification')
    const code = slackErrorCode(err) ?? ''
    const isTooOld = runtime.now().getTime() - job.added_at.getTime() > MAX_AGE_MS
    if (isAccessLost(err) || (!isTooOld && !UNREACHABLE_CODES.includes(code)))
      return { due_at: addMs(runtime.now(), RETRY_PAUSE_MS) }
  }
  if (item && isDone(item))
    // The user has been notified, so a failure here must not notify them again.
    await bot
      .refreshHome({ ...itemActor(item, client), channel_id: undefined })
      .catch((err) => log.warn({ err }, 'Failed to publish a Home tab'))
  return undefined
}

/** Throws an error if Slack doesn't list the admins. */
async function notifyAdmins({ bot, client }: WorkerContext, job: Job): Promise<void> {
  const { user_id, message } = readNotification(job)
  const admins = await findAdmins(bot, client)
  if (!admins) throw new Error("Slack didn't list the workspace's admins.")
  const person = user_id === ERASED ? 'someone who has left' : `${mentionUser(user_id)}, who has left`
  const text = `This message was for ${person}: ${message}`
  for (const channel of admins)
    await client.chat
      .postMessage({ channel, text })
      .catch((err) => bot.log.warn({ err, user: channel }, 'Failed to notify an admin'))
}

/** Reports the outcome of a delayed item to its user. */
async function deliverItemResult({ bot, client, modules }: WorkerContext, item: OutboxItem) {
  const form = formOf(modules, item)
  const actor = itemActor(item, client)
  const profile = await loadProfile(bot, actor)
  if (!isDone(item)) return notifyByDirectMessage(bot, actor, describeItem(form, item, profile))
  const project = { Id: item.project_id, Name: item.project_name }
  // The notification is sent even if `followUp` fails.
  await form
    .followUp?.(item.record, { bot, actor, project, opened: item.opened_record ?? undefined })
    .catch((err) => bot.log.error({ err, form: form.verb }, 'Failed to follow up on a submission'))
  const postedBy = item.notify_channel ? item.user_id : undefined
  const success = { bot, zone: profile.zone, now: bot.runtime.now(), project, postedBy }
  const announcement = buildAnnouncement(form, item.record, success)
  const { reply } = announcement
  // A user who has followed the progress of an upload already knows that it took a while.
  const note = actor.progress ? [] : [context('Done, after a delay.')]
  const warning = item.warnings ? [context(`:warning: ${item.warnings}`)] : []
  const blocks = [...note, ...(reply.blocks ?? []), ...warning]
  await notifyUserAndChannel(
    bot,
    actor,
    { ...announcement, reply: { ...reply, blocks } },
    notifyByDirectMessage,
  )
}
