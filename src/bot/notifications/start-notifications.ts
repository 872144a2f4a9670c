import type { WebClient } from '@slack/web-api'
import type { Bot } from '../bot.ts'
import type { Notification, OutboxItem } from '../database/tables.ts'
import { slackErrorCode } from '../errors.ts'
import type { Form } from '../form/form.ts'
import { buildAnnouncement } from '../form/present-outcome.ts'
import { publishHome } from '../home/home.ts'
import { context, escapeText } from '../message-blocks.ts'
import { announce, notifyUser } from '../notify.ts'
import { describeItem } from '../outbox/describe-item.ts'
import { findItemById } from '../outbox/outbox-list-store.ts'
import { loadProfile } from '../people/profile.ts'
import { type Poller, startWorker } from '../poller.ts'
import { claimDueNotifications, deleteNotifications } from './notification-store.ts'

type Sender = { bot: Bot; client: WebClient; forms: Form[] }

const POLL_INTERVAL_MS = 1000
const BATCH_SIZE = 50
const RETRY_MS = 60_000
const MAX_AGE_MS = 3 * 24 * 60 * 60_000

/** Delivers stored notifications until they have reached their users, each user's in order. */
export function startNotifications(sender: Sender): Poller {
  const { db, log, runtime } = sender.bot
  return startWorker<Notification[]>({
    name: 'Delivering notifications',
    intervalMs: POLL_INTERVAL_MS,
    concurrency: BATCH_SIZE,
    log,
    sleep: runtime.sleep,
    findJobs: async () => {
      const now = runtime.now()
      const retryAt = new Date(now.getTime() + RETRY_MS)
      return groupBy(
        await claimDueNotifications(db, { now, retryAt, limit: BATCH_SIZE }),
        ({ user_id }) => user_id,
      )
    },
    keyOf: ([first]) => first?.user_id ?? '',
    process: (notifications) => deliverToUser(sender, notifications),
  })
}

async function deliverToUser(sender: Sender, notifications: Notification[]): Promise<void> {
  for (const notification of notifications)
    if (notification.item_id)
      await deliver(sender, [notification], () => deliverItemResult(sender, notification.item_id ?? ''))
  const aboutDigests = notifications.filter(({ item_id }) => !item_id)
  for (const group of groupBy(aboutDigests, ({ message }) => message ?? ''))
    await deliver(sender, group, () => deliverDigestMessage(sender, group))
}

/** Slack's codes for users who can't be reached anymore. */
const UNREACHABLE_CODES = ['user_not_found', 'user_disabled', 'channel_not_found', 'cannot_dm_bot']

async function deliver({ bot }: Sender, group: Notification[], send: () => Promise<void>): Promise<void> {
  const { db, log, runtime } = bot
  const [first] = group
  if (!first) return
  try {
    await send()
  } catch (err) {
    log.warn({ err, user: first.user_id }, 'Delivering a notification failed')
    const isTooOld = runtime.now().getTime() - first.created_at.getTime() > MAX_AGE_MS
    if (!isTooOld && !UNREACHABLE_CODES.includes(slackErrorCode(err) ?? '')) return
  }
  await deleteNotifications(
    db,
    group.map(({ id }) => id),
  )
}

/** Tells the user, where they submitted the form, how an item that took longer ended. */
async function deliverItemResult({ bot, client, forms }: Sender, item_id: string): Promise<void> {
  const item = await findItemById(bot.db, item_id)
  const form = forms.find(({ verb }) => verb === item?.form)
  if (!item || !form) return
  const { team_id, user_id, channel_id } = item
  const actor = { team_id, user_id, channel_id: channel_id ?? undefined, client }
  const profile = await loadProfile(bot, actor)
  const sender = { client, fetch: bot.runtime.fetch }
  const destination = { user: user_id, channel: channel_id ?? undefined }
  if (item.state !== 'sent') return notifyUser(sender, destination, describeItem(form, item, profile))
  const project = { Id: item.project_id, Name: item.project_name }
  await form.remember?.(item.record, { bot, actor, project })
  const success = { zone: profile.zone, now: bot.runtime.now(), project }
  const postedBy = item.notify_channel ? user_id : undefined
  const announcement = buildAnnouncement(form, item.record, success, { postedBy })
  const { reply } = announcement
  const blocks = [context('Done, after a delay.'), ...(reply.blocks ?? [])]
  await announce(sender, destination, { ...announcement, reply: { ...reply, blocks } })
  await refreshHome(bot, client, item)
}

/** The user has been notified, so a failure here must not notify them again. */
const refreshHome = (bot: Bot, client: WebClient, { team_id, user_id }: OutboxItem): Promise<void> =>
  publishHome(bot, { team_id, user_id, channel_id: undefined, client }).catch((err) =>
    bot.log.warn({ err }, 'Publishing a Home tab failed'),
  )

/** One message for all digests of the user with the same news. */
async function deliverDigestMessage({ client }: Sender, group: Notification[]): Promise<void> {
  const [first] = group
  const labels = group.map(({ digest_label }) => escapeLabel(digest_label ?? '')).join(', ')
  const text = `Your ${group.length > 1 ? 'digests' : 'digest'} ${labels}: ${first?.message}`
  await client.chat.postMessage({ channel: first?.user_id ?? '', text })
}

/** The label ends with a link to the channel, which must stay markup. */
function escapeLabel(label: string): string {
  const [, name = label, channel = ''] = /^([\s\S]*)( in <#\w+>)$/.exec(label) ?? []
  return `${escapeText(name)}${channel}`
}

function groupBy<T>(items: T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}
