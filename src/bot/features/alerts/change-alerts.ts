import type { PlatformResult } from '../../../api/field-readers.ts'
import type { Account } from '../../../api/records.ts'
import type { ApiFailure } from '../../../api/result.ts'
import { recordAction } from '../../slack/audit.ts'
import { replyWithFailure, reportFailure } from '../../slack/errors.ts'
import type { ButtonPress, Feature, Request } from '../../slack/feature.ts'
import { isSharedChannel } from '../../slack/is-shared-channel.ts'
import { buttonRow, escapeText, section, textReply } from '../../slack/message-blocks.ts'
import { ADMIN_ACCESS, VIEW_ACCESS, WRITE_ACCESS } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'
import { explainPostingError } from '../../slack/slack-errors.ts'
import { formatPostCount } from '../posts/display/post-blocks.ts'
import { queueProjectCheck } from '../posts/messages/queue-project-check.ts'
import { ACCOUNT_CHANGED, formatAccounts, retryFailed } from '../posts/retry-post.ts'
import {
  findAlert,
  findAlertChannel,
  removeAlertChannel,
  saveAlertChannel,
  updateAlert,
} from './alert-store.ts'
import { failureKey } from './find-problems.ts'
import { DISMISS_ACTION, RETRY_ALL_ACTION, renderClosedAlert } from './render-alert.ts'

export const changeAlerts: Feature = {
  verb: 'alerts',
  usage: '[here, all, off]',
  help: `Get alerts in this channel when posts of its project can't be published. Add "all" to also get a message when they are published. For owners and admins.`,
  access: (text) => (text.trim() ? ADMIN_ACCESS : VIEW_ACCESS),
  async run(request) {
    const { bot, actor, text, reply } = request
    const { team_id, channel_id } = actor
    if (!channel_id) return reply(textReply('Use this command in a channel.'))
    const choice = text.trim().toLowerCase()
    if (choice === 'here') return startAlerts(request, channel_id)
    if (choice === 'all')
      return bot.extensions.current.hasAccounts
        ? startAlerts(request, channel_id, { includesPublished: true })
        : reply(textReply(NO_PUBLISHING_REPORTS_MESSAGE))
    if (choice === 'off') return stopAlerts(request, channel_id)
    if (choice) return reply(textReply('Type `/upnext alerts here`, `all` or `off`.'))
    const current = await findAlertChannel(bot.db, { team_id, channel_id })
    if (current && (await bot.projectList.isLost(current.project_id)))
      return reply(textReply(LOST_PROJECT_MESSAGE))
    const name = current && escapeText(await bot.projectList.nameOf(current.project_id))
    const publishedNote = current?.published_since ? ', and a message about each published post' : ''
    const state = `This channel gets ${current ? `alerts about *${name}*` : 'no alerts'}${publishedNote}.`
    return reply(
      textReply(`${state} An admin can change this with \`/upnext alerts here\`, \`all\` or \`off\`.`),
    )
  },
  actions: {
    [DISMISS_ACTION]: { access: WRITE_ACCESS, run: dismiss, projectOf: projectOfAlert },
    [RETRY_ALL_ACTION]: { access: WRITE_ACCESS, run: retryAll, projectOf: projectOfAlert },
  },
}

const LOST_PROJECT_MESSAGE =
  'This channel gets no alerts. The project that they were about no longer exists, or Upnext has no access to it. An admin can use `/upnext alerts here` after linking another project with `/upnext use`.'
const NO_PUBLISHING_REPORTS_MESSAGE =
  "This scheduling service doesn't say where posts are published, so `all` isn't available. Use `/upnext alerts here`."

async function startAlerts(
  request: Request,
  channel_id: string,
  { includesPublished = false } = {},
): Promise<void> {
  const { bot, actor, reply, share } = request
  const { team_id, user_id } = actor
  const project = await resolveProject(request)
  if (!project) return
  const info = await actor.client.conversations.info({ channel: channel_id }).catch(() => undefined)
  if (!info?.channel?.is_member) return reply(textReply(explainPostingError('not_in_channel')))
  const { Id: project_id, Name } = project
  const current = await findAlertChannel(bot.db, { team_id, channel_id })
  const since = current?.project_id === project_id ? current.published_since : null
  const published_since = includesPublished ? (since ?? bot.runtime.now()) : null
  await saveAlertChannel(bot.db, { team_id, channel_id, project_id, published_since })
  await queueProjectCheck(bot, { team_id, project_id, project_name: Name })
  const after = { alerts: true, published: includesPublished }
  await recordAction(request, { action: 'alerts', project_id, target: channel_id, after })
  const replaced =
    current && current.project_id !== project_id
      ? ` It no longer gets alerts about *${escapeText(await bot.projectList.nameOf(current.project_id, 'another project'))}*.`
      : ''
  const isShared = await isSharedChannel(bot, actor.client, channel_id)
  const limit = isShared
    ? ' This channel is shared with other organizations, so alerts only give a count.'
    : ''
  return share(
    textReply(
      `<@${user_id}> turned on alerts. When posts of *${escapeText(Name)}* can't be published, this channel gets an alert${includesPublished ? ', and a message when posts are published' : ''}.${replaced}${limit}`,
    ),
  )
}

async function stopAlerts(request: Request, channel_id: string): Promise<void> {
  const { bot, actor, reply, share } = request
  const key = { team_id: actor.team_id, channel_id }
  if (!(await findAlertChannel(bot.db, key))) return reply(textReply('This channel gets no alerts.'))
  await removeAlertChannel(bot.db, key)
  await recordAction(request, { action: 'alerts', target: channel_id, after: { alerts: false } })
  return share(textReply(`<@${actor.user_id}> turned off alerts. This channel no longer gets them.`))
}

async function projectOfAlert({ bot, actor, text }: ButtonPress): Promise<string | undefined> {
  const [id = ''] = text.split(' ')
  const alert = await findAlert(bot.db, { team_id: actor.team_id, id })
  return alert?.project_id
}

const ALERT_EXPIRED_MESSAGE = 'This alert has expired, so its buttons no longer work.'

async function dismiss(request: Request): Promise<void> {
  const { bot, actor, text: id, reply, replace } = request
  const alert = await findAlert(bot.db, { team_id: actor.team_id, id })
  if (!alert) return reply(textReply(ALERT_EXPIRED_MESSAGE))
  await updateAlert(bot.db, id, { is_open: false })
  await replace(renderClosedAlert(alert, { isShared: false, dismissedBy: actor.user_id }))
}

/**
 * Retries all posts of an alert on the platforms where they failed. A newer failure of the same post isn't in the
 * alert, so it isn't retried. Asks before posts go to an account that the user wasn't shown: the button's value is the
 * alert's id and the ids of the accounts that were shown.
 */
async function retryAll(request: Request): Promise<void> {
  const { bot, actor, text, reply } = request
  const [id = '', ...account_ids] = text.split(' ')
  const alert = await findAlert(bot.db, { team_id: actor.team_id, id })
  if (!alert) return reply(textReply(ALERT_EXPIRED_MESSAGE))
  const { project_id, problems } = alert
  const post_ids = [...new Set(problems.flatMap(({ post_id }) => post_id ?? []))]
  let retried = 0
  let askedAbout = 0
  let untried = 0
  const otherAccounts = new Map<string, Account>()
  let failure: ApiFailure | undefined
  for (const post_id of post_ids) {
    const isSeen = (result: PlatformResult) => problems.some(({ key }) => key === failureKey(post_id, result))
    const reference = { project_id, post_id }
    const { result, unseenAccounts } = await retryFailed(request, reference, { isSeen, account_ids })
    for (const account of unseenAccounts) otherAccounts.set(account.Id ?? '', account)
    if (unseenAccounts.length) askedAbout++
    if (result.kind === 'ok') retried++
    else if (result.kind !== 'nothing failed' && result.kind !== 'rejected') failure = result
    // The posts that a press before the question has published don't count.
    else if (!unseenAccounts.length && !(account_ids.length && result.kind === 'nothing failed')) untried++
    if (failure) break
  }
  if (failure && !retried) return replyWithFailure(request, failure, { isReadOnly: false })
  const reason = failure
    ? `The others weren't tried again. ${reportFailure(request, failure, { isReadOnly: false })}`
    : `Not tried again: ${formatPostCount(untried)}. Use \`/upnext retry\` to see what you can do.`
  const sentences = [
    ...(retried ? [`Publishing ${formatPostCount(retried)} now.`] : []),
    ...(failure || untried ? [reason] : []),
    ...(askedAbout
      ? [
          `${ACCOUNT_CHANGED} ${formatPostCount(askedAbout)} would be published on ${formatAccounts([...otherAccounts.values()])}.`,
        ]
      : []),
  ]
  const publish = {
    action_id: RETRY_ALL_ACTION,
    label: 'Publish there',
    value: [id, ...otherAccounts.keys()].join(' '),
  }
  const answer = sentences.join(' ')
  await reply({ text: answer, blocks: [section(answer), ...(askedAbout ? buttonRow(publish) : [])] })
}
