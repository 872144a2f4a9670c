import type { WebClient } from '@slack/web-api'
import type { Poller } from '../../jobs/poller.ts'
import { startWorker } from '../../jobs/worker.ts'
import { type Form, listForms } from '../forms/form.ts'
import { buildAnnouncement } from '../forms/present-outcome.ts'
import type { Bot } from '../slack/bot.ts'
import { context } from '../slack/message-blocks.ts'
import type { WorkerContext } from '../slack/module.ts'
import { notifyInPrivate, notifyUserAndChannel } from '../slack/notify.ts'
import { loadProfile } from '../slack/profile.ts'
import { hasLostAccess, slackErrorCode } from '../slack/slack-errors.ts'
import { itemActor } from './item-actor.ts'
import { describeItem } from './item-message.ts'
import { claimNextNotifications, deleteNotifications, listUsersToNotify } from './notification-store.ts'
import { findItemById } from './outbox-store.ts'
import type { Notification, OutboxItem } from './tables.ts'

type NotificationSender = { bot: Bot; client: WebClient; forms: Form[] }

const POLL_INTERVAL_MS = 1000
const MAX_AGE_MS = 3 * 24 * 60 * 60_000

/** Delivers stored notifications until they have reached their users, each user's in order. */
export function startNotifications({ bot, client, modules }: WorkerContext): Poller {
  const sender = { bot, client, forms: listForms(modules) }
  const { db, runtime } = sender.bot
  return startWorker<string>({
    bot: sender.bot,
    name: 'Delivering notifications',
    intervalMs: POLL_INTERVAL_MS,
    findJobs: () => listUsersToNotify(db, runtime.now()),
    keyOf: (user_id) => user_id,
    processJob: async (user_id) => {
      while (await deliverNext(sender, user_id));
    },
  })
}

/** Slack's codes for users who can't be reached anymore. */
const UNREACHABLE_CODES = ['user_not_found', 'user_disabled', 'channel_not_found', 'cannot_dm_bot']

/** False if the user has no due notification. One that can't be delivered is due again later. */
async function deliverNext(sender: NotificationSender, user_id: string): Promise<boolean> {
  const { bot, client } = sender
  const { db, log, runtime } = bot
  const group = await claimNextNotifications(db, user_id, runtime.now())
  const [first] = group
  if (!first) return false
  const item = first.item_id ? await findItemById(db, first.item_id) : undefined
  try {
    if (item) await deliverItemResult(sender, item)
    else if (first.message) await deliverMessage(client, first.message, group)
  } catch (err) {
    log.warn({ err, user: user_id }, 'Delivering a notification failed')
    const code = slackErrorCode(err) ?? ''
    if (hasLostAccess(err)) return true
    const isTooOld = runtime.now().getTime() - first.created_at.getTime() > MAX_AGE_MS
    if (!isTooOld && !UNREACHABLE_CODES.includes(code)) return true
  }
  const ids = group.map(({ id }) => id)
  await deleteNotifications(db, ids)
  if (item?.state === 'sent')
    // The user has been notified, so a failure here must not notify them again.
    await bot
      .refreshHome({ ...itemActor(item, client), channel_id: undefined })
      .catch((err) => log.warn({ err }, 'Publishing a Home tab failed'))
  return true
}

/** Reports the outcome of a delayed item to its user. */
async function deliverItemResult({ bot, client, forms }: NotificationSender, item: OutboxItem) {
  const form = forms.find(({ verb }) => verb === item.form)
  if (!form) throw new Error(`An outbox item belongs to an unknown form: "${item.form}".`)
  const actor = itemActor(item, client)
  const profile = await loadProfile(bot, actor)
  if (item.state !== 'sent') return notifyInPrivate(bot, actor, describeItem(form, item, profile))
  const project = { Id: item.project_id, Name: item.project_name }
  // The user is told even if this fails.
  await form
    .remember?.(item.record, { bot, actor, project, opened: item.opened_record ?? undefined })
    .catch((err) => bot.log.error({ err, form: form.verb }, 'Saving a record for later forms failed'))
  const postedBy = item.notify_channel ? item.user_id : undefined
  const success = { bot, zone: profile.zone, now: bot.runtime.now(), project, postedBy }
  const announcement = buildAnnouncement(form, item.record, success)
  const { reply } = announcement
  // The user has seen that the upload takes a while.
  const note = actor.progress ? [] : [context('Done, after a delay.')]
  const warning = item.warnings ? [context(`:warning: ${item.warnings}`)] : []
  const blocks = [...note, ...(reply.blocks ?? []), ...warning]
  await notifyUserAndChannel(bot, actor, { ...announcement, reply: { ...reply, blocks } }, notifyInPrivate)
}

/** Sends one message for all of the user's digests with the same notification. */
function deliverMessage(client: WebClient, message: string, group: Notification[]): Promise<unknown> {
  const labels = group.flatMap(({ digest_label }) => digest_label ?? [])
  const digests = `Your ${labels.length > 1 ? 'digests' : 'digest'} ${labels.join(', ')}: `
  const text = (labels.length ? digests : '') + message
  return client.chat.postMessage({ channel: group[0]?.user_id ?? '', text })
}
