import type { HomeView, KnownBlock } from '@slack/types'
import { DateTime } from 'luxon'
import { type Post, readPost, readPosts } from '../../api/records.ts'
import { findPerson } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import { platformsOf, postBlock, type Reader } from '../posts.ts'
import { chooseProject, type KnownProject } from '../projects.ts'
import { context, escaped, section, shortened } from '../reply.ts'
import { explain } from '../trouble.ts'

const DAYS = 7
const MOST = 50

/** Puts a person's own overview on the app's Home. */
export async function publishHome(bot: Bot, asker: Asker): Promise<void> {
  const { client, user_id } = asker
  const [chosen, person] = await Promise.all([chooseProject(bot, asker), findPerson(bot, asker)])
  const reader = { zone: person.zone, now: bot.world.now() }
  const blocks =
    'trouble' in chosen
      ? [section(`:warning: ${chosen.trouble.say}`)]
      : 'project' in chosen
        ? await overview(bot, chosen.project, reader)
        : [section('Say in a channel which project you work on: `/upnext use NAME`.')]
  const view: HomeView = {
    type: 'home',
    blocks: [
      ...blocks,
      BUTTONS,
      context(`Times are shown for ${person.zone}; \`/upnext zone\` changes that.`),
    ],
  }
  await client.views.publish({ user_id, view })
}

const button = (action_id: string, text: string) => ({
  type: 'button' as const,
  action_id,
  text: { type: 'plain_text' as const, text },
})

const BUTTONS: KnownBlock = {
  type: 'actions',
  elements: [button('schedule:open', 'Schedule a post'), button('prompt:open', 'Create a prompt')],
}

async function overview({ api }: Bot, { Id, Name }: KnownProject, reader: Reader): Promise<KnownBlock[]> {
  const path = { project_id: Id }
  const start = DateTime.fromJSDate(reader.now, { zone: reader.zone })
  const days = {
    schedule_date_from: start.toISO() ?? '',
    schedule_date_to: start.plus({ days: DAYS }).endOf('day').toISO() ?? '',
  }
  const list = (query: object) =>
    api.GET('/api/v1/projects/{project_id}/posts', { params: { path, query: { limit: MOST, ...query } } })
  const [next, coming, drafts] = await Promise.all([
    api.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', { params: { path } }),
    list({ status: ['SCHEDULED'], ...days }),
    list({ status: ['DRAFT'] }),
  ])
  const title: KnownBlock = { type: 'header', text: { type: 'plain_text', text: shortened(Name, 150) } }
  const failure = [next, coming, drafts].find(({ kind }) => kind !== 'ok' && kind !== 'not-found')
  if (failure && failure.kind !== 'ok') return [title, section(`:warning: ${explain(failure).say}`)]
  const post = next.kind === 'ok' ? readPost(next.data) : undefined
  return [
    title,
    section('*Up next*'),
    post?.ScheduleDate ? postBlock(post, reader) : section('Nothing is scheduled.'),
    section('*The next seven days*'),
    section(byDay(coming.kind === 'ok' ? readPosts(coming.data).items : [], reader)),
    section('*Drafts*'),
    section(draftLines(drafts.kind === 'ok' ? readPosts(drafts.data).items : [])),
  ]
}

const lineOf = (post: Post) =>
  `${escaped(shortened(post.Content ?? '(no text)', 80).replaceAll('\n', ' '))} · ${platformsOf(post)}`

function byDay(posts: Post[], { zone }: Reader): string {
  const days = new Map<string, string[]>()
  for (const post of posts) {
    const at = DateTime.fromISO(post.ScheduleDate ?? '', { zone })
    const day = at.isValid ? at.toFormat('cccc d LLLL') : 'Without a day'
    const time = at.isValid ? `${at.toFormat('HH:mm')} ` : ''
    days.set(day, [...(days.get(day) ?? []), `• ${time}${lineOf(post)}`])
  }
  return [...days].map(([day, lines]) => `_${day}_\n${lines.join('\n')}`).join('\n') || 'Nothing yet.'
}

const draftLines = (posts: Post[]) => posts.map((post) => `• ${lineOf(post)}`).join('\n') || 'None.'
