import { createHash } from 'node:crypto'
import type { HomeView, KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import type { ApiFailure } from '../../api/result.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import { reportFailure } from '../errors.ts'
import { buttonRow, MAX_OPTIONS, plainText, section, selectOption, truncate } from '../message-blocks.ts'
import { loadProfile, type UserProfile } from '../people/profile.ts'
import {
  datedPostLines,
  groupByDay,
  MAX_PREVIEW_LENGTH,
  postBlocks,
  postLine,
  type Viewer,
} from '../post-blocks.ts'
import {
  chooseProject,
  type NamedProject,
  NO_PROJECTS_MESSAGE,
  type ProjectChoice,
} from '../projects/projects.ts'
import { findHomeHash, saveHomeHash } from './home-store.ts'

/** Publishes the user's Home tab if its content has changed. */
export async function publishHome(bot: Bot, actor: Actor, { isEmpty = false } = {}): Promise<void> {
  const { client, user_id, team_id } = actor
  const [choice, profile, publishedHash] = await Promise.all([
    chooseProject(bot, actor),
    loadProfile(bot, actor),
    findHomeHash(bot.db, actor),
  ])
  const viewer = { zone: profile.zone, now: bot.runtime.now() }
  const explain = (failure: ApiFailure) =>
    section(`:warning: ${reportFailure({ bot, actor, profile }, failure, { isRead: true })}`)
  const blocks: KnownBlock[] = [
    ...(await overviewBlocks(bot, choice, viewer, explain)),
    ...buttonRow(
      { action_id: 'schedule:open', label: 'Schedule a post' },
      { action_id: 'prompt:open', label: 'Create a prompt' },
      { action_id: 'logs:show', label: 'Activity log' },
      ...(profile.role === 'admin' ? [{ action_id: 'invite:open', label: 'Invite someone' }] : []),
    ),
    ...settingsBlocks(choice, profile),
  ]
  const hash = createHash('sha256').update(JSON.stringify(blocks)).digest('base64url')
  if (hash === publishedHash && !isEmpty) return
  const view: HomeView = { type: 'home', blocks }
  await client.views.publish({ user_id, view })
  await saveHomeHash(bot.db, { team_id, user_id }, hash)
}

async function overviewBlocks(
  bot: Bot,
  choice: ProjectChoice,
  viewer: Viewer,
  explain: (failure: ApiFailure) => KnownBlock,
): Promise<KnownBlock[]> {
  if (choice.kind === 'failed') return [explain(choice.failure)]
  if (choice.kind === 'undecided')
    return [section(choice.projects.length ? 'Pick a project to start.' : NO_PROJECTS_MESSAGE)]
  return projectBlocks(bot, choice.project, viewer, explain)
}

const UPCOMING_DAYS = 7
const PAGE_SIZE = 50
const MAX_HEADER_LENGTH = 150

/** A project at a glance: the next post, the coming week and the drafts. */
async function projectBlocks(
  { api }: Bot,
  { Id, Name }: NamedProject,
  viewer: Viewer,
  explain: (failure: ApiFailure) => KnownBlock,
): Promise<KnownBlock[]> {
  const start = DateTime.fromJSDate(viewer.now, { zone: viewer.zone })
  const [next, upcoming, drafts] = await Promise.all([
    api.posts.getNext(Id),
    api.posts.list(Id, {
      status: ['SCHEDULED'],
      schedule_date_from: start.toISO(),
      schedule_date_to: start.plus({ days: UPCOMING_DAYS }).endOf('day').toISO(),
      limit: PAGE_SIZE,
    }),
    api.posts.list(Id, { status: ['DRAFT'], limit: PAGE_SIZE }),
  ])
  if (next.kind !== 'ok') return [explain(next)]
  if (upcoming.kind !== 'ok') return [explain(upcoming)]
  if (drafts.kind !== 'ok') return [explain(drafts)]
  const upcomingLines = groupByDay(datedPostLines(upcoming.data.items, viewer.zone))
  const draftLines = drafts.data.items.map((post) => `• ${postLine(post)}`)
  return [
    { type: 'header', text: plainText(truncate(Name, MAX_HEADER_LENGTH)) },
    section('*Up next*'),
    ...(next.data ? postBlocks(next.data, viewer, MAX_PREVIEW_LENGTH) : [section('Nothing scheduled yet.')]),
    section('*Next 7 days*'),
    section(upcomingLines.join('\n') || 'Nothing scheduled in the next 7 days.'),
    section('*Drafts*'),
    section(draftLines.join('\n') || 'No drafts.'),
  ]
}

function settingsBlocks(choice: ProjectChoice, { zone, hasOwnZone }: UserProfile): KnownBlock[] {
  const projects = choice.kind === 'failed' ? [] : choice.projects
  const zoneSource = hasOwnZone ? '' : ' (from your Slack profile)'
  const resetButton = { action_id: 'zone:forget', label: 'Use the time zone from Slack' }
  return [
    { type: 'divider' },
    section('*Your settings*'),
    ...(projects.length ? [projectSetting(choice, projects)] : []),
    {
      type: 'section',
      text: { type: 'mrkdwn', text: `Time zone${zoneSource}` },
      accessory: {
        type: 'external_select',
        action_id: 'zone:choose',
        placeholder: plainText('Search a city or time zone'),
        min_query_length: 0,
        initial_option: selectOption({ value: zone, label: zone }),
      },
    },
    ...buttonRow(...(hasOwnZone ? [resetButton] : [])),
  ]
}

function projectSetting(choice: ProjectChoice, projects: NamedProject[]): KnownBlock {
  const options = projects.map(({ Id, Name }) => selectOption({ value: Id, label: Name }))
  const menu = {
    action_id: 'project:choose',
    placeholder: plainText('Pick a project'),
    ...(choice.kind === 'chosen' && {
      initial_option: selectOption({ value: choice.project.Id, label: choice.project.Name }),
    }),
  }
  return {
    type: 'section',
    text: { type: 'mrkdwn', text: 'Default project' },
    accessory:
      options.length > MAX_OPTIONS
        ? { type: 'external_select', min_query_length: 0, ...menu }
        : { type: 'static_select', options, ...menu },
  }
}
