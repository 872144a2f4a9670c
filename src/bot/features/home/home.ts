import { createHash } from 'node:crypto'
import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import type { Post } from '../../../api/records.ts'
import type { ApiFailure } from '../../../api/result.ts'
import { countItemsNeedingAttention } from '../../outbox/find-items-store.ts'
import type { Actor } from '../../slack/actor.ts'
import type { Bot } from '../../slack/bot.ts'
import { reportFailure } from '../../slack/errors.ts'
import {
  buttonElement,
  buttonRow,
  context,
  MAX_OPTIONS,
  plainText,
  searchMenu,
  section,
  toMenuOption,
  truncate,
} from '../../slack/message-blocks.ts'
import { type AuthorizedActor, authorize, VIEW_ACCESS } from '../../slack/permissions.ts'
import type { UserProfile } from '../../slack/profile.ts'
import { chooseProject, NO_PROJECTS_MESSAGE, type ProjectChoice } from '../../slack/projects.ts'
import { COMMAND_PREFIX } from '../../slack/router.ts'
import { findUserSettings, saveUserSettings } from '../../slack/settings-store.ts'
import { findWaitingPosts } from '../decisions/list-approvals.ts'
import { calendarButton } from '../posts/calendar/calendar-request.ts'
import {
  formatPostCount,
  isScheduledBetween,
  MAX_PREVIEW_LENGTH,
  postBlocks,
  sortBySchedule,
} from '../posts/display/post-blocks.ts'
import { INCOMPLETE_NOTE, postListBlocks } from '../posts/display/post-list.ts'
import { postMenu } from '../posts/display/post-menu.ts'
import { findNextPost, overdueBlocks } from '../posts/find/next-post.ts'
import { listPostsWithProblems, listProjectPosts } from '../posts/find/project-posts.ts'

/** Publishes the user's Home tab if its content has changed. */
export async function publishHome(bot: Bot, actor: Actor, { isUnpublished = false } = {}): Promise<void> {
  const { client, user_id } = actor
  const [authorization, settings] = await Promise.all([
    authorize(bot, actor, VIEW_ACCESS),
    findUserSettings(bot.db, actor),
  ])
  // If the permission can't be checked, nothing is published. Opening the tab tries again.
  if (authorization.kind === 'unknown') return
  const blocks =
    authorization.kind === 'allowed'
      ? await buildHome({ bot, actor, profile: authorization.profile })
      : [section(authorization.message)]
  const home_hash = createHash('sha256').update(JSON.stringify(blocks)).digest('base64url')
  if (home_hash === settings?.home_hash && !isUnpublished) return
  await client.views.publish({ user_id, view: { type: 'home', blocks } })
  // People who have never been allowed to use Upnext have no settings.
  if (authorization.kind === 'allowed' || settings) await saveUserSettings(bot, actor, { home_hash })
}

async function buildHome(user: AuthorizedActor): Promise<KnownBlock[]> {
  const { bot, actor, profile } = user
  // A command in a channel can publish the tab, but the tab ignores the channel's project.
  const choice = await chooseProject(bot, { ...actor, channel_id: undefined })
  const buttons = buttonRow(
    {
      action_id: 'schedule:open',
      label: 'Schedule a post',
      value: choice.kind === 'chosen' ? choice.project.Id : undefined,
    },
    ...(choice.kind === 'chosen' ? [calendarButton(choice.project.Id)] : []),
    { action_id: 'prompt:open', label: 'Create a prompt' },
    { action_id: 'logs:show', label: 'Activity log' },
    ...(profile.role === 'admin' ? [{ action_id: 'invite:open', label: 'Invite someone' }] : []),
  )
  const [attentionCount, { waitingForOthers, toDecide, toChange }, overview] = await Promise.all([
    countItemsNeedingAttention(bot.db, actor),
    findWaitingPosts(user),
    buildOverview(user, choice, buttons),
  ])
  const approvals = approvalBlocks(toDecide.length, toChange.length, waitingForOthers.length)
  return [...outboxBlocks(attentionCount), ...approvals, ...overview, ...settingsBlocks(choice, profile)]
}

/** A note at the top of the tab, if submissions of the user need attention. */
function outboxBlocks(count: number): KnownBlock[] {
  if (!count) return []
  const text = `:warning: *${count} of your submissions ${count === 1 ? 'needs' : 'need'} your attention*`
  const button = { action_id: `${COMMAND_PREFIX}outbox`, label: 'Open the outbox' }
  return [{ ...section(text), accessory: buttonElement(button) }]
}

/** Says how many posts wait for the user's decision or changes, and how many of the user's posts wait for others. */
function approvalBlocks(toDecide: number, toChange: number, waitingForOthers: number): KnownBlock[] {
  const lines = [
    ...(toDecide ? [`:question: *${formatPostCount(toDecide)} to approve*`] : []),
    ...(toChange ? [`:pencil2: *Changes requested for ${formatPostCount(toChange)}*`] : []),
    ...(waitingForOthers
      ? [`:hourglass: Waiting for approval by others: ${formatPostCount(waitingForOthers)}`]
      : []),
  ]
  if (!lines.length) return []
  const button = { action_id: `${COMMAND_PREFIX}approve`, label: toDecide ? 'Decide' : 'Show' }
  return [{ ...section(lines.join('\n')), accessory: buttonElement(button) }]
}

const UPCOMING_DAYS = 7
const MAX_PROBLEMS_WITH_MENU = 3
const MAX_PAGES = 2
/** Slack allows 100 blocks on the tab, and a draft with a menu has several. */
const MAX_DRAFTS_WITH_MENU = 5
const MAX_DRAFTS = 50
const MAX_HEADER_LENGTH = 150

/** The user's project at a glance: what needs attention, the buttons, the next post, the coming week and the drafts. */
async function buildOverview(
  user: AuthorizedActor,
  choice: ProjectChoice,
  buttons: KnownBlock[],
): Promise<KnownBlock[]> {
  const explain = (failure: ApiFailure) => [
    section(`:warning: ${reportFailure(user, failure, { isReadOnly: true })}`),
    ...buttons,
  ]
  if (choice.kind === 'failed') return explain(choice.failure)
  if (choice.kind === 'undecided')
    return [
      ...(choice.projects.length
        ? projectSetting(choice, 'Pick a project to get started.')
        : [section(NO_PROJECTS_MESSAGE)]),
      ...buttons,
    ]
  const { bot, actor, profile } = user
  const { zone } = profile
  const { Id, Name } = choice.project
  const viewer = { zone, now: bot.runtime.now() }
  const start = DateTime.fromJSDate(viewer.now, { zone })
  const end = start.plus({ days: UPCOMING_DAYS }).endOf('day')
  const scope = { team_id: actor.team_id, project_id: Id }
  const [withProblems, next, upcoming, drafts] = await Promise.all([
    listPostsWithProblems(bot, scope, { from: start.minus({ days: 1 }).toJSDate(), to: viewer.now }),
    findNextPost(bot, scope, viewer),
    listProjectPosts(
      bot,
      scope,
      { status: ['SCHEDULED'], schedule_date_from: start.toISO(), schedule_date_to: end.toISO() },
      { maxPages: MAX_PAGES },
    ),
    bot.api.posts.list(Id, { status: ['DRAFT'], limit: MAX_DRAFTS }),
  ])
  if (withProblems.kind !== 'ok') return explain(withProblems)
  if (next.kind !== 'ok') return explain(next)
  if (upcoming.kind !== 'ok') return explain(upcoming)
  if (drafts.kind !== 'ok') return explain(drafts)
  const { hasMore } = upcoming.data
  // The next post has a section of its own.
  const isNext = ({ Id }: Post) => Id !== undefined && Id === next.data.next?.Id
  const upcomingPosts = upcoming.data.items.filter(
    (post) => !isNext(post) && isScheduledBetween(post, viewer.now, end.toJSDate()),
  )
  const menuContext = { bot, project_id: Id, profile }
  const { overdue } = next.data
  const problems = withProblems.data.items.filter(({ Id }) => !overdue || Id !== overdue.Id)
  const upcomingBlocks = postListBlocks(menuContext, sortBySchedule(upcomingPosts), viewer)
  const draftBlocks = postListBlocks(menuContext, drafts.data.items, viewer, MAX_DRAFTS_WITH_MENU)
  const displayOptions = (post: Post | undefined) => {
    return { maxLength: MAX_PREVIEW_LENGTH, menu: post && postMenu(menuContext, post) }
  }
  return [
    { type: 'header', text: plainText(truncate(Name, MAX_HEADER_LENGTH)) },
    ...(problems.length ? [section(':warning: *Problems in the last 24 hours*')] : []),
    ...postListBlocks(menuContext, problems, viewer, MAX_PROBLEMS_WITH_MENU),
    ...overdueBlocks(next.data, viewer, displayOptions(overdue)),
    ...buttons,
    section('*Up next*'),
    ...(next.data.next
      ? postBlocks(next.data.next, viewer, displayOptions(next.data.next))
      : [section(next.data.overdue ? 'Nothing else is scheduled.' : 'Nothing scheduled yet.')]),
    section('*Next 7 days*'),
    ...(upcomingBlocks.length || hasMore
      ? upcomingBlocks
      : [
          section(
            `Nothing ${upcoming.data.items.some(isNext) ? 'else ' : ''}is scheduled for the next 7 days.`,
          ),
        ]),
    ...(hasMore ? [context(INCOMPLETE_NOTE)] : []),
    section('*Drafts*'),
    ...(draftBlocks.length ? draftBlocks : [section('No drafts.')]),
    ...(drafts.data.items.length === MAX_DRAFTS ? [context(INCOMPLETE_NOTE)] : []),
  ]
}

function settingsBlocks(choice: ProjectChoice, { zone, hasOwnZone }: UserProfile): KnownBlock[] {
  const zoneSource = hasOwnZone ? '' : ' (from your Slack profile)'
  return [
    { type: 'divider' },
    section('*Your settings*'),
    ...(choice.kind === 'undecided' ? [] : projectSetting(choice, 'Default project')),
    {
      ...section(`Time zone${zoneSource}`),
      accessory: {
        ...searchMenu('zone:choose', { value: zone, label: zone }),
        placeholder: plainText('Search for a city or time zone'),
      },
    },
    ...(hasOwnZone ? buttonRow({ action_id: 'zone:forget', label: 'Use the time zone from Slack' }) : []),
  ]
}

function projectSetting(choice: ProjectChoice, label: string): KnownBlock[] {
  if (choice.kind === 'failed' || !choice.projects.length) return []
  const options = choice.projects.map(({ Id, Name }) => toMenuOption({ value: Id, label: Name }))
  const chosen = choice.kind === 'chosen' && options[choice.projects.indexOf(choice.project)]
  const menu = {
    action_id: 'project:choose',
    placeholder: plainText('Pick a project'),
    ...(chosen && { initial_option: chosen }),
  }
  const accessory =
    options.length > MAX_OPTIONS
      ? { type: 'external_select' as const, min_query_length: 0, ...menu }
      : { type: 'static_select' as const, options, ...menu }
  return [{ ...section(label), accessory }]
}
