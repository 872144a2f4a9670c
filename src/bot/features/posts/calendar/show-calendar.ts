import type { KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { addMs } from '../../../../runtime.ts'
import { readDateRange } from '../../../../time/date-range.ts'
import { momentToUniqueWords } from '../../../../time/describe.ts'
import type { ProjectKey } from '../../../database/tables.ts'
import { openForm } from '../../../forms/open-form.ts'
import type { Bot } from '../../../slack/bot.ts'
import { replyWithFailure } from '../../../slack/errors.ts'
import type { Feature, Request } from '../../../slack/feature.ts'
import { forgetImage } from '../../../slack/images/image-store.ts'
import { imageBlock, uploadDrawing, waitForImage } from '../../../slack/images/upload-drawing.ts'
import {
  buttonRow,
  context,
  escapeText,
  plainText,
  section,
  textReply,
  toMenuOption,
} from '../../../slack/message-blocks.ts'
import { pageActions } from '../../../slack/paged-list.ts'
import { accessForModal, VIEW_ACCESS } from '../../../slack/permissions.ts'
import type { NamedProject } from '../../../slack/project-list.ts'
import { resolveProject } from '../../../slack/projects.ts'
import { replyInModal } from '../../../slack/reply-in-modal.ts'
import { listSlots, type Slot } from '../../slots/slot-rules.ts'
import { findSlotRules } from '../../slots/slot-store.ts'
import { INCOMPLETE_NOTE, postListBlocks } from '../display/post-list.ts'
import { schedulePost } from '../schedule-post.ts'
import { findTakenSlots, remainingSlot } from '../slots/free-slots.ts'
import { describeCalendar } from './calendar-days.ts'
import { CalendarRequest, OPEN_CALENDAR_ACTION, SlotReference } from './calendar-request.ts'
import { drawMonth } from './draw-month.ts'
import { type Calendar, type CalendarKind, loadCalendar } from './load-calendar.ts'
import { FILL_ACTION, weekBlocks } from './week-blocks.ts'

// Elements of one row need different action ids.
const PREVIOUS_ACTION = 'calendar:previous'
const TODAY_ACTION = 'calendar:today'
const NEXT_ACTION = 'calendar:next'
const DAY_ACTION = 'calendar:day'
const SWITCH_ACTION = 'calendar:switch'

const periodAction = { access: VIEW_ACCESS, run: (request: Request) => showRequestedPeriod(request) }
const dayAction = {
  access: VIEW_ACCESS,
  run: (request: Request) => showRequestedPeriod(request, { isDayChosen: true }),
}

export const showWeek: Feature = {
  verb: 'week',
  usage: '[next week, or a date]',
  help: 'See the posts of a week by day.',
  access: VIEW_ACCESS,
  run: (request) => showTypedPeriod(request, 'week'),
  actions: {
    [PREVIOUS_ACTION]: periodAction,
    [TODAY_ACTION]: dayAction,
    [NEXT_ACTION]: periodAction,
    ...pageActions('calendar', periodAction),
    [DAY_ACTION]: dayAction,
    [SWITCH_ACTION]: dayAction,
    [FILL_ACTION]: { access: accessForModal('write', 'Schedule a post'), run: openSlotForm },
    [OPEN_CALENDAR_ACTION]: {
      access: VIEW_ACCESS,
      run: (request) => showRequestedPeriod(request, { isNew: true }),
    },
  },
}

export const showMonth: Feature = {
  verb: 'month',
  usage: '[december, or a date]',
  help: 'See a month of posts as a calendar.',
  access: VIEW_ACCESS,
  run: (request) => showTypedPeriod(request, 'month'),
}

async function showTypedPeriod(request: Request, kind: CalendarKind): Promise<void> {
  const { viewer, text, reply } = request
  const project = await resolveProject(request)
  if (!project) return
  const typed = text.trim()
  // A number alone is a week of the year: "/upnext week 49".
  const words = kind === 'week' && /^\d{1,2}$/.test(typed) ? `week ${typed}` : typed
  const range = words ? readDateRange(words, viewer, 'future') : undefined
  if (range?.kind === 'refusal')
    return reply(textReply(`"${escapeText(typed)}" wasn't understood. ${range.message}`))
  const day = (range?.from ?? DateTime.fromJSDate(viewer.now)).setZone(viewer.zone)
  const isDayChosen = range?.to !== undefined && day.hasSame(range.to, 'day')
  await showCalendar(request, { kind, day, project, isDayChosen })
}

async function showRequestedPeriod(
  pressed: Request,
  { isNew = false, isDayChosen = false } = {},
): Promise<void> {
  const { bot, profile } = pressed
  const { kind, day, project_id, page } = CalendarRequest.parse(JSON.parse(pressed.text))
  const request = isNew ? await replyInModal(pressed, 'Calendar') : { ...pressed, reply: pressed.replace }
  const project = await resolveProject(request, project_id)
  if (!project) return
  const { zone } = profile
  const shownDay = day ? DateTime.fromISO(day, { zone }) : DateTime.fromJSDate(bot.runtime.now(), { zone })
  await showCalendar(request, { kind, day: shownDay, project, isDayChosen, page })
}

type CalendarChoice = {
  kind: CalendarKind
  day: DateTime
  project: NamedProject
  isDayChosen?: boolean
  page?: number | undefined
}

async function showCalendar(request: Request, choice: CalendarChoice): Promise<void> {
  const { kind, day, project, page } = choice
  const { bot, actor, profile, reply } = request
  const scope = { team_id: actor.team_id, project_id: project.Id }
  const result = await loadCalendar(bot, scope, { kind, day })
  if (result.kind !== 'ok') return replyWithFailure(request, result)
  if (kind === 'month') return showImage(request, choice, result.data)
  const menuContext = { bot, project_id: project.Id, profile }
  const { title, hasMore } = result.data
  const freeSlots = hasMore ? [] : await findFreeSlotsInWeek(bot, scope, result.data)
  const text = `${escapeText(project.Name)}: ${title}`
  await reply({
    text,
    blocks: [
      section(`*${text}*`),
      ...navigation(result.data, project.Id),
      ...weekBlocks(result.data, { ...menuContext, page, freeSlots }),
      ...(hasMore ? [context(INCOMPLETE_NOTE)] : []),
    ],
  })
}

/** Finds the week's upcoming slots, each with only the platforms that are still free. */
async function findFreeSlotsInWeek(bot: Bot, scope: ProjectKey, { days }: Calendar): Promise<Slot[]> {
  const [first, last] = [days[0]?.date, days.at(-1)?.date.endOf('day')]
  if (!first || !last) return []
  const from = new Date(Math.max(+first, +addMs(bot.runtime.now(), 60_000)))
  const to = last.toJSDate()
  const slots = listSlots(await findSlotRules(bot.db, scope), from, to)
  if (!slots.length) return []
  const posts = days.flatMap((listed) => listed.posts.map(({ post }) => post))
  const taken = await findTakenSlots(bot, scope, { posts, from, to })
  return slots.flatMap((slot) => remainingSlot(taken, slot) ?? [])
}

function openSlotForm(request: Request): Promise<void> {
  const { project_id, at, platforms } = SlotReference.parse(JSON.parse(request.text))
  const ScheduleDate = momentToUniqueWords(new Date(at), request.profile.zone)
  const values = { ScheduleDate, Platforms: platforms }
  return openForm(schedulePost, { ...request, text: '' }, { project_id, values })
}

async function showImage(
  request: Request,
  { project, day, isDayChosen = false }: CalendarChoice,
  loaded: Calendar,
): Promise<void> {
  const { bot, actor, reply } = request
  const calendar = isDayChosen ? loaded : { ...loaded, day: findDayWithPosts(loaded) }
  const { title } = calendar
  const image = await uploadDrawing(bot, actor, {
    title,
    svg: drawMonth(calendar, day),
    alt_text: describeCalendar(calendar),
  })
  const text = `${escapeText(project.Name)}: ${title}`
  const render = (image: KnownBlock) => ({
    text,
    blocks: [
      section(`*${text}*`),
      image,
      ...navigation(calendar, project.Id),
      dayMenu(calendar, project.Id),
      ...dayBlocks(request, calendar, project.Id),
    ],
  })
  const withoutImage = render(context("The calendar image couldn't be shown. Pick a day to see its posts."))
  if (!image) return reply(withoutImage)
  await waitForImage(bot, image)
  await reply(render(imageBlock(image))).catch(async (err: unknown) => {
    bot.log.warn({ err }, 'Slack rejected a message with a calendar')
    await forgetImage(bot.db, { team_id: actor.team_id, file_id: image.file_id })
    await reply(withoutImage)
  })
}

/** Finds the first day with posts in this week or month, starting at `day`. Returns `day` if there is none. */
function findDayWithPosts({ kind, day, days }: Calendar): DateTime {
  const isLaterInPeriod = (date: DateTime) => date >= day.startOf('day') && date.hasSame(day, kind)
  return days.find(({ date, posts }) => posts.length && isLaterInPeriod(date))?.date ?? day
}

const toIsoDate = (date: DateTime): string => date.toISODate() ?? ''

function navigation({ kind, day, today }: Calendar, project_id: string): KnownBlock[] {
  const valueFor = (request: Partial<Omit<CalendarRequest, 'project_id'>>) =>
    JSON.stringify({ kind, day: '', project_id, ...request } satisfies CalendarRequest)
  const step = kind === 'week' ? { weeks: 1 } : { months: 1 }
  const start = kind === 'week' ? day.startOf('week') : day.startOf('month')
  const otherKind = kind === 'week' ? 'month' : 'week'
  const isThisPeriod = start <= today && today < start.plus(step)
  return buttonRow(
    {
      action_id: PREVIOUS_ACTION,
      label: '‹ Previous',
      value: valueFor({ day: toIsoDate(start.minus(step)) }),
    },
    ...(isThisPeriod ? [] : [{ action_id: TODAY_ACTION, label: 'Today', value: valueFor({}) }]),
    { action_id: NEXT_ACTION, label: 'Next ›', value: valueFor({ day: toIsoDate(start.plus(step)) }) },
    {
      action_id: SWITCH_ACTION,
      label: kind === 'week' ? 'Month' : 'Week',
      value: valueFor({ kind: otherKind, day: toIsoDate(day) }),
    },
    { action_id: 'schedule:open', label: 'Schedule a post', value: project_id },
  )
}

/** A menu of the month's days. The posts of the chosen day are below it. */
function dayMenu({ kind, day, days, hasMore }: Calendar, project_id: string): KnownBlock {
  const valueFor = (date: DateTime) =>
    JSON.stringify({ kind, day: toIsoDate(date), project_id } satisfies CalendarRequest)
  const options = days.map(({ date, posts }) =>
    toMenuOption({
      value: valueFor(date),
      label: `${date.toFormat('ccc d LLL')} · ${posts.length}${hasMore ? '+' : ''} ${posts.length === 1 && !hasMore ? 'post' : 'posts'}`,
    }),
  )
  const chosen = options.find(({ value }) => value === valueFor(day))
  return {
    ...section('*Show posts for*'),
    accessory: {
      type: 'static_select',
      action_id: DAY_ACTION,
      placeholder: plainText('Pick a day'),
      options,
      ...(chosen && { initial_option: chosen }),
    },
  }
}

/** The posts of the chosen day. In a short list, each post has a menu. A longer list has one select menu that opens a post. */
function dayBlocks({ bot, profile, viewer }: Request, calendar: Calendar, project_id: string): KnownBlock[] {
  const { day, days, hasMore } = calendar
  const posts = days.find(({ date }) => date.hasSame(day, 'day'))?.posts.map(({ post }) => post) ?? []
  const incomplete = hasMore ? [context(INCOMPLETE_NOTE)] : []
  const nothing = hasMore ? 'Upnext found no posts on' : 'No posts on'
  if (!posts.length) return [context(`${nothing} ${day.toFormat('cccc d LLLL')}.`), ...incomplete]
  return [...postListBlocks({ bot, project_id, profile }, posts, viewer), ...incomplete]
}
