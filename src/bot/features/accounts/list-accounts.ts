import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { Account } from '../../../api/records.ts'
import { PLATFORMS, platformName } from '../../../platforms/platform-names.ts'
import { toAuditOutcome, toOutcome } from '../../forms/outcome.ts'
import { recordAction } from '../../slack/audit.ts'
import { isConnected } from '../../slack/connected-platforms.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import {
  type Button,
  buttonRow,
  context,
  escapeText,
  lineSections,
  section,
  textReply,
} from '../../slack/message-blocks.ts'
import { ADMIN_ACCESS } from '../../slack/permissions.ts'
import type { NamedProject } from '../../slack/project-list.ts'
import { loadNamedProject, resolveProject } from '../../slack/projects.ts'
import { addDayHeadings, datedPostLines, INCOMPLETE_NOTE } from '../posts/display/post-list.ts'
import { postReferenceOf } from '../posts/display/post-reference.ts'
import { listProjectPosts } from '../posts/find/project-posts.ts'
import { notifyAuthors } from '../posts/messages/notify-author.ts'

const AccountReference = z.object({
  project_id: z.string(),
  account_id: z.string(),
  /** The account that was connected to the same platform when the user saw the list. */
  seen_account_id: z.string().optional(),
})

const CHECK_ACTION = 'accounts:check'
const CONNECT_ACTION = 'accounts:connect'
const ASK_TO_DISCONNECT_ACTION = 'accounts:ask'
const DISCONNECT_ACTION = 'accounts:disconnect'

export const listAccounts: Feature = {
  verb: 'accounts',
  help: "See which accounts publish the project's posts. For owners and admins.",
  access: ADMIN_ACCESS,
  async run(request) {
    const project = await resolveProject(request)
    if (project) await showAccounts(request, project)
  },
  actions: {
    [CHECK_ACTION]: { access: ADMIN_ACCESS, run: (request) => changeAccount(request, CHECK_ACTION) },
    [CONNECT_ACTION]: { access: ADMIN_ACCESS, run: (request) => changeConnection(request, CONNECT_ACTION) },
    [ASK_TO_DISCONNECT_ACTION]: { access: ADMIN_ACCESS, run: askToDisconnect },
    [DISCONNECT_ACTION]: {
      access: ADMIN_ACCESS,
      run: (request) => changeConnection(request, DISCONNECT_ACTION),
    },
  },
}

const NOT_FOUND_MESSAGE = 'This account no longer exists.'
const NOT_SUPPORTED = 'This scheduling service has no accounts to show.'
const HOW_TO_ADD =
  'The person who runs Upnext adds accounts with `npm run service -- account add`, so that no secret is typed into Slack.'

/** Slack allows 50 blocks in a message, and an account takes two. */
const MAX_ACCOUNTS = 20

/** Shows the result of a check even if the service hasn't stored it: it may have failed only for the moment. */
async function showAccounts(request: Request, project: NamedProject, checked?: Account): Promise<void> {
  const { bot, reply } = request
  if (!bot.extensions.current.hasAccounts) return reply(textReply(NOT_SUPPORTED))
  const result = await bot.api.accounts.list(project.Id)
  if (result.kind !== 'ok') return replyWithFailure(request, result)
  const { areRequired } = result.data
  const items = result.data.items.map((one) => (checked && one.Id === checked.Id ? checked : one))
  const accounts = [...items.filter(isConnected), ...items.filter((account) => !isConnected(account))]
  const hiddenCount = accounts.length - MAX_ACCOUNTS
  const effect = areRequired
    ? 'New posts for them are rejected, and scheduled ones are only marked as published'
    : 'Posts for them are only marked as published'
  const connected = accounts.filter(isConnected).map(({ Platform }) => Platform)
  const missing = PLATFORMS.filter((platform) => !connected.includes(platform)).map(platformName)
  const title = `Accounts of ${escapeText(project.Name)}`
  await reply({
    text: title,
    blocks: [
      section(`*${title}*`),
      ...accounts.slice(0, MAX_ACCOUNTS).flatMap((account) => accountBlocks(project, account, accounts)),
      ...(hiddenCount > 0 ? [context(`And ${hiddenCount} more.`)] : []),
      ...(missing.length ? [context(`Not connected: ${missing.join(', ')}. ${effect}.`)] : []),
      context(HOW_TO_ADD),
    ],
  })
}

const describeAccount = ({ Platform = '', Name = '' }: Account): string =>
  `${platformName(Platform)}: ${Name}`

function accountBlocks({ Id: project_id }: NamedProject, account: Account, all: Account[]): KnownBlock[] {
  const { Id: account_id = '', State, Problem, Platform } = account
  const state = { CONNECTED: ':white_check_mark: connected', AVAILABLE: 'not connected' }[State ?? '']
  const value = JSON.stringify({ project_id, account_id })
  const connectedAccount = all.find((other) => isConnected(other) && other.Platform === Platform)
  const connect: Button = {
    action_id: CONNECT_ACTION,
    label: 'Connect',
    value: JSON.stringify({ project_id, account_id, seen_account_id: connectedAccount?.Id }),
    ...(connectedAccount && {
      confirmation: `${describeAccount(account)} replaces ${connectedAccount.Name ?? 'the current account'}.`,
    }),
  }
  return [
    section(
      `*${escapeText(describeAccount(account))}*\n${state ?? `:warning: ${escapeText(Problem ?? 'needs attention')}`}`,
    ),
    ...buttonRow(
      { action_id: CHECK_ACTION, label: 'Check', value },
      isConnected(account) ? { action_id: ASK_TO_DISCONNECT_ACTION, label: 'Disconnect', value } : connect,
    ),
  ]
}

/** Changes or checks an account, then shows all accounts again. */
async function changeAccount(
  pressed: Request,
  action: string,
  onChanged?: (project: NamedProject) => Promise<void>,
): Promise<void> {
  const { bot, actor } = pressed
  const { accounts } = bot.api
  const { project_id, account_id: target } = AccountReference.parse(JSON.parse(pressed.text))
  const options = { request_id: actor.request_id }
  const result =
    action === CHECK_ACTION
      ? await accounts.check(project_id, target, options)
      : await accounts.setConnected(project_id, target, { IsConnected: action === CONNECT_ACTION }, options)
  await recordAction(pressed, { action, outcome: toAuditOutcome(toOutcome(result)), project_id, target })
  if (result.kind === 'not-found' && /account/i.test(result.message ?? ''))
    return pressed.reply(textReply(NOT_FOUND_MESSAGE))
  if (result.kind !== 'ok') return replyWithFailure(pressed, result, { isReadOnly: false })
  const project = await loadNamedProject(pressed, project_id)
  const checked = action === CHECK_ACTION ? result.data : undefined
  await showAccounts({ ...pressed, reply: pressed.replace }, project, checked)
  await onChanged?.(project)
}

const explainConnection = (account: Account): string =>
  `${escapeText(describeAccount(account))} was connected after this list was shown. To replace it, open \`/upnext accounts\` again.`

/** Connects or disconnects an account, and notifies the authors of the affected posts. */
async function changeConnection(request: Request, action: string): Promise<void> {
  const { project_id, account_id, seen_account_id } = AccountReference.parse(JSON.parse(request.text))
  const listed = await request.bot.api.accounts.list(project_id)
  if (listed.kind !== 'ok') return replyWithFailure(request, listed)
  const accounts = listed.data.items
  const wasConnected = action === DISCONNECT_ACTION
  // Another account may have replaced this one since the list was shown.
  const account = accounts.find((one) => one.Id === account_id && isConnected(one) === wasConnected)
  const current = accounts.find((one) => isConnected(one) && one.Platform === account?.Platform)
  if (!wasConnected && account && current && current.Id !== seen_account_id)
    return request.reply(textReply(explainConnection(current)))
  await changeAccount(request, action, async (project) => {
    if (account && PLATFORMS.some((name) => name === account.Platform))
      await notifyOfConnection(request, project, account, !wasConnected)
  })
}

/** Notifies the affected authors. An alert would report a missing account only after their posts were due. */
async function notifyOfConnection(
  request: Request,
  project: NamedProject,
  account: Account,
  isNowConnected: boolean,
): Promise<void> {
  const { bot, actor } = request
  const listed = await listPostsOn(request, project.Id, account, MAX_NOTIFIED_PAGES)
  if (listed.kind !== 'ok') {
    bot.log.warn(
      { account: account.Id },
      'Failed to list the posts whose account was connected or disconnected',
    )
    return
  }
  const posts = listed.data.items.flatMap((post) => {
    const reference = postReferenceOf(project.Id, post)
    return reference ? [{ post, reference }] : []
  })
  const name = escapeText(describeAccount(account))
  const change = isNowConnected
    ? `connected ${name}, now the account for`
    : `disconnected ${name}, the account for`
  const consequence = isNowConnected
    ? `It goes out on ${name}.`
    : `It won't go out on ${platformName(account.Platform ?? '')}.`
  await notifyAuthors(bot, actor, { change, consequence, project, posts })
}

const MAX_PAGES = 3
const MAX_NOTIFIED_PAGES = 20
const MAX_LINES = 20

/** Lists the posts that are scheduled for the account's platform. */
function listPostsOn({ bot, actor }: Request, project_id: string, { Platform }: Account, maxPages: number) {
  const filter = { status: ['SCHEDULED'], platforms: PLATFORMS.filter((name) => name === Platform) }
  return listProjectPosts(bot, { team_id: actor.team_id, project_id }, filter, { maxPages })
}

/** Asks for a confirmation, and lists the posts that the account would publish. */
async function askToDisconnect(request: Request): Promise<void> {
  const { bot, viewer, reply } = request
  const { project_id, account_id } = AccountReference.parse(JSON.parse(request.text))
  const listed = await bot.api.accounts.list(project_id)
  if (listed.kind !== 'ok') return replyWithFailure(request, listed)
  const account = listed.data.items.find(({ Id }) => Id === account_id)
  if (!account) return reply(textReply(NOT_FOUND_MESSAGE))
  // Another account may have replaced this one since the list was shown.
  if (!isConnected(account)) return showAccounts(request, await loadNamedProject(request, project_id))
  const posts = await listPostsOn(request, project_id, account, MAX_PAGES)
  if (posts.kind !== 'ok') return replyWithFailure(request, posts)
  const lines = datedPostLines(posts.data.items, viewer)
  const count = `${lines.length}${posts.data.hasMore ? '+' : ''}`
  const name = escapeText(describeAccount(account))
  const consequence = lines.length
    ? `${count} scheduled ${lines.length === 1 ? 'post' : 'posts'} would be marked as published without going out on ${platformName(account.Platform ?? '')}:`
    : 'No scheduled post uses it.'
  const button: Button = {
    action_id: DISCONNECT_ACTION,
    label: 'Disconnect',
    value: request.text,
    isDangerous: true,
  }
  await reply({
    text: `Disconnect ${name}?`,
    blocks: [
      section(`*Disconnect ${name}?* ${consequence}`),
      ...lineSections(addDayHeadings(lines.slice(0, MAX_LINES))),
      ...(posts.data.hasMore ? [context(INCOMPLETE_NOTE)] : []),
      ...buttonRow(button),
    ],
  })
}
