import type { KnownBlock } from '@slack/types'
import { addMs } from '../../../runtime.ts'
import { type Form, listForms, type Warning } from '../../forms/form.ts'
import { openForm } from '../../forms/open-form.ts'
import { findItem, listItems } from '../../outbox/find-items-store.ts'
import { describeItem, itemErrors, submittedValues, summarizeInput } from '../../outbox/item-message.ts'
import { isDone, type OutboxItem, REMOVED_FROM_OUTBOX } from '../../outbox/tables.ts'
import { confirmItem, removeItem, retryItem } from '../../outbox/user-items-store.ts'
import { recordAction } from '../../slack/audit.ts'
import { authorizeAction } from '../../slack/authorize-action.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { context, mentionUser, section, textReply } from '../../slack/message-blocks.ts'
import { postOrUpdate } from '../../slack/notify.ts'
import { ADMIN_ACCESS, accessForModal, VIEW_ACCESS } from '../../slack/permissions.ts'
import { findPeople } from '../audit/find-people.ts'

const MAX_ITEMS = 10

const MORE_MESSAGE = `There are more items. Only the latest ${MAX_ITEMS} are shown.`
const NOT_FOUND_MESSAGE = "This item isn't in your outbox anymore."
const ERASED_MESSAGE = "What you entered is no longer stored, so it can't be sent again."
const ANSWERED_MESSAGE = 'That question was already answered. See `/upnext outbox`.'
const ON_ITS_WAY_MESSAGE = 'This item is on its way or already done. Check it with `/upnext outbox`.'
const RETRY_MESSAGES = {
  queued: 'Sending it now.',
  'too late': ON_ITS_WAY_MESSAGE,
  reserved: 'Another post has this slot now. Open `/upnext outbox`, press *Edit*, and enter another time.',
}

/** Only an item's owner can send it again or discard it, so admins get no buttons. */
async function showOthersOutbox(request: Request): Promise<void> {
  const { bot, actor, reply, text } = request
  const name = text.trim()
  if (!/^@\S+$/.test(name)) return reply(textReply('Name one person, as in `/upnext outbox @ada`.'))
  const found = await findPeople(request, name)
  if ('error' in found) return reply(textReply(found.error))
  const blocks: KnownBlock[] = []
  for (const user_id of found.user_ids) {
    const items = await listItems(bot.db, { team_id: actor.team_id, user_id }, MAX_ITEMS)
    blocks.push(
      section(`*${mentionUser(user_id)}'s outbox*${items.length ? '' : ' is empty.'}`),
      ...describeItems(request, items).filter(({ type }) => type !== 'actions'),
    )
  }
  await reply({ text: `${name}'s outbox`, blocks: blocks.slice(0, MAX_BLOCKS) })
}

/** Slack allows 50 blocks in a message. */
const MAX_BLOCKS = 50

// Permission to view is enough here, because sending an item checks the permission that its form requires.
export const listOutbox: Feature = {
  verb: 'outbox',
  usage: '[@person]',
  help: "See what you submitted, what's on its way and what couldn't be sent. Try it again, edit it or discard it. Owners and admins can look at someone else's outbox.",
  access: (text) => (text.trim() ? ADMIN_ACCESS : VIEW_ACCESS),
  run: async (request) => {
    const { bot, actor, reply, text } = request
    if (text.trim()) return showOthersOutbox(request)
    const items = await listItems(bot.db, actor, MAX_ITEMS + 1)
    if (!items.length) return reply(textReply('Your outbox is empty.'))
    const [hiddenItem] = items.splice(MAX_ITEMS)
    const more = hiddenItem && hiddenItem.state !== 'sent' ? [context(MORE_MESSAGE)] : []
    const blocks = [section('*Your outbox*'), ...describeItems(request, items), ...more]
    await reply({ text: 'Your outbox', blocks })
  },
  actions: {
    'outbox:retry': {
      access: VIEW_ACCESS,
      run: (request) =>
        runItemAction(request, async (item, form) => {
          if (!item.form_values) return ERASED_MESSAGE
          if (isDone(item)) return ON_ITS_WAY_MESSAGE
          const { db, runtime } = request.bot
          const [duplicate] = await findDuplicates(request, item, form)
          if (duplicate)
            return `${duplicate.message} If you want to send it anyway, open \`/upnext outbox\` and press *Edit*.`
          return RETRY_MESSAGES[await retryItem(db, item, runtime.now(), form.creation?.reserve)]
        }),
    },
    'outbox:confirm': {
      access: VIEW_ACCESS,
      run: (request) =>
        runItemAction(request, async (item, form) => {
          const isConfirmed = await confirmItem(request.bot.db, item, form, request.bot.runtime.now())
          return isConfirmed ? 'Marked as sent.' : ANSWERED_MESSAGE
        }),
    },
    'outbox:discard': {
      access: VIEW_ACCESS,
      run: (request) =>
        runItemAction(request, async (item) => {
          if (!(await removeItem(request.bot.db, item))) return ON_ITS_WAY_MESSAGE
          const { id: target, project_id, form } = item
          await recordAction(request, { action: 'outbox:discard', project_id, target, after: { form } })
          await endProgressMessage(request, item)
          return REMOVED_FROM_OUTBOX
        }),
    },
    'outbox:edit': {
      access: accessForModal('view', 'Outbox'),
      run: editItem,
    },
  },
}

/** Updates the direct message, which still says that the item's file is being uploaded. */
async function endProgressMessage({ bot, actor }: Request, item: OutboxItem): Promise<void> {
  const { progress_channel: channel, progress_ts: ts } = item
  if (!channel || !ts) return
  await postOrUpdate(actor.client, actor.user_id, { channel, ts }, textReply(REMOVED_FROM_OUTBOX)).catch(
    (err) => bot.log.warn({ err, item: item.id }, 'Failed to update the progress message of a removed item'),
  )
}

const WARNINGS_TIMEOUT_MS = 2000

/** Finds records with the item's content, which the user may have submitted again since the item failed. */
async function findDuplicates(
  { bot, actor, viewer }: Request,
  item: OutboxItem,
  form: Form,
): Promise<Warning[]> {
  const warnings = await form.findWarnings?.(item.body ?? {}, {
    bot,
    actor,
    viewer,
    project: { Id: item.project_id, Name: item.project_name },
    opened: item.opened_record ?? undefined,
    replaces: item.id,
    deadline: addMs(bot.runtime.now(), WARNINGS_TIMEOUT_MS),
  })
  return (warnings ?? []).filter(({ isDuplicate }) => isDuplicate)
}

const findItemForm = ({ modules }: Request, item: OutboxItem | undefined): Form | undefined =>
  listForms(modules).find(({ verb }) => verb === item?.form)

const describeItems = (request: Request, items: OutboxItem[]): KnownBlock[] =>
  items.flatMap((item) => {
    const form = findItemForm(request, item)
    return form ? (describeItem(form, item, request.profile).blocks ?? []) : []
  })

/** Runs a button's action on its item. The reply may replace a list of items, so it repeats this item's input. */
async function runItemAction(
  request: Request,
  change: (item: OutboxItem, form: Form) => Promise<string>,
): Promise<void> {
  const { bot, actor, text, replace } = request
  const item = await findItem(bot.db, { team_id: actor.team_id, user_id: actor.user_id, id: text })
  const form = findItemForm(request, item)
  if (!item || !form) return replace(textReply(NOT_FOUND_MESSAGE))
  const answer = await change(item, form)
  const others = (await listItems(bot.db, actor, 2)).filter(({ id }) => id !== item.id)
  const note = others.length ? [context('The rest of your outbox: `/upnext outbox`')] : []
  await replace({ text: answer, blocks: [section(answer), context(summarizeInput(form, item)), ...note] })
  await bot.refreshHome(actor)
}

/** Opens the form with the submitted values. The new submission replaces the item. */
async function editItem(request: Request): Promise<void> {
  const { bot, actor, text, reply } = request
  const item = await findItem(bot.db, { team_id: actor.team_id, user_id: actor.user_id, id: text })
  const form = findItemForm(request, item)
  if (!item || !form) return reply(textReply(NOT_FOUND_MESSAGE))
  const values = submittedValues(form, item)
  if (!values) return reply(textReply(ERASED_MESSAGE))
  const access = accessForModal(form.permission, form.title)
  const authorization = await authorizeAction(bot, actor, { name: 'outbox:edit', access })
  if (authorization.kind !== 'allowed') return reply(textReply(authorization.message))
  const { errors, unplaced } = itemErrors(form, item)
  const draft = {
    values,
    errors,
    messages: unplaced,
    replaces: item.id,
    file: item.slack_file ?? undefined,
    opened: item.opened_record ?? undefined,
    notifyChannel: item.notify_channel,
  }
  const actorInChannel = { ...actor, channel_id: item.channel_id ?? actor.channel_id }
  await openForm(form, { ...request, actor: actorInChannel }, { project_id: item.project_id, draft })
}
