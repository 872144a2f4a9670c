import { DateTime } from 'luxon'
import { type LogEntry, writeLog } from './storage/logs.ts'
import { ensurePerson, findPerson, insertProjectUser } from './storage/people.ts'
import { insertPost } from './storage/posts.ts'
import { insertProject, isAnyProjectThere, lockForSeeding } from './storage/projects.ts'
import { insertPrompt } from './storage/prompts.ts'
import { insertSource } from './storage/sources.ts'
import type { Db } from './storage/tables.ts'
import { insertTemplate } from './storage/templates.ts'
import { mintToken, revokeTokensLabelled, saveToken } from './storage/tokens.ts'
import { inTransaction } from './storage/transaction.ts'
import type { Platform, Role } from './vocabulary.ts'

/** Two projects as a small agency might have them, so that a newcomer finds something to look at and to change. */

const ADMIN = 'mara@upnext.example'
const EDITOR = 'tomas@upnext.example'

type Person = { email: string; first_name: string; last_name: string; role: Role }

const PEOPLE: Person[] = [
  { email: ADMIN, first_name: 'Mara', last_name: 'Lindqvist', role: 'ADMIN' },
  { email: EDITOR, first_name: 'Tomas', last_name: 'Ferreira', role: 'EDITOR' },
  { email: 'ines@upnext.example', first_name: 'Ines', last_name: 'Okafor', role: 'VIEWER' },
]

type DemoPost = {
  inDays: number
  at: string
  content: string
  platforms: Platform[]
  draft?: true
  media?: string
}

type DemoProject = {
  name: string
  timezone: string
  posts: DemoPost[]
  templates: { title: string; content: string; description: string }[]
  prompts: { title: string; prompt_text: string; description: string }[]
  sources: { source: string; description: string }[]
}

const PROJECTS: DemoProject[] = [
  {
    name: 'Northwind Coffee',
    timezone: 'Europe/Berlin',
    posts: [
      {
        inDays: -3,
        at: '08:00',
        content: 'Frost on the windows, cinnamon in the grinder.',
        platforms: ['INSTAGRAM', 'X'],
        media: 'https://media.upnext.example/frost.jpg',
      },
      {
        inDays: -1,
        at: '12:30',
        content: 'Back in stock: the small kettle that everybody asks for.',
        platforms: ['FACEBOOK', 'PINTEREST'],
        media: 'https://media.upnext.example/kettle.jpg',
      },
      {
        inDays: 1,
        at: '08:30',
        content: 'The winter roast is back: dark chocolate, orange peel, and a long finish.',
        platforms: ['INSTAGRAM', 'FACEBOOK'],
        media: 'https://media.upnext.example/winter-roast.jpg',
      },
      {
        inDays: 1,
        at: '12:00',
        content: 'Lunch break? Our Kreuzberg bar is open until six today.',
        platforms: ['X', 'THREADS'],
      },
      {
        inDays: 2,
        at: '09:00',
        content: 'We are hiring a second roaster. Curious hands welcome, experience is a bonus.',
        platforms: ['LINKEDIN'],
      },
      {
        inDays: 3,
        at: '17:00',
        content: 'Friday cupping: three coffees, no spitting contest. Seats are limited.',
        platforms: ['INSTAGRAM', 'TELEGRAM'],
        media: 'https://media.upnext.example/cupping.jpg',
      },
      {
        inDays: 5,
        at: '10:00',
        content: 'How we pick a harvest, in ninety seconds.',
        platforms: ['YOUTUBE', 'TIKTOK'],
        media: 'https://media.upnext.example/harvest.mp4',
      },
      {
        inDays: 8,
        at: '08:00',
        content: 'Subscriptions ship on Monday. Change your roast until Sunday night.',
        platforms: ['FACEBOOK', 'X'],
      },
      {
        inDays: 12,
        at: '11:00',
        content: 'A word on prices in spring',
        platforms: ['LINKEDIN'],
        draft: true,
      },
    ],
    templates: [
      {
        title: 'New roast',
        content: '{name} is here: {notes}. Beans and filter, from {price}.',
        description: 'For every new coffee',
      },
      {
        title: 'Opening hours',
        content: 'This {day} we are open from {from} to {to}.',
        description: 'Holidays and odd days',
      },
    ],
    prompts: [
      {
        title: 'Tasting notes',
        prompt_text:
          'Describe this coffee in one sentence that makes somebody thirsty. No more than three flavours.',
        description: 'For roasts',
      },
    ],
    sources: [
      { source: 'https://northwind.example/blog/feed.xml', description: 'The roastery blog' },
      { source: 'https://northwind.example/events.ics', description: 'Cuppings and courses' },
    ],
  },
  {
    name: 'Harbor Cycling',
    timezone: 'America/New_York',
    posts: [
      {
        inDays: -2,
        at: '17:45',
        content: 'Lights on, everybody: it is dark at five now.',
        platforms: ['X', 'THREADS'],
      },
      {
        inDays: 1,
        at: '07:00',
        content: 'Saturday ride: 42 miles along the river, regroup at every bridge.',
        platforms: ['INSTAGRAM', 'X'],
        media: 'https://media.upnext.example/river.jpg',
      },
      {
        inDays: 2,
        at: '18:30',
        content: 'Workshop tonight: fix a flat in the dark, in the rain, in a hurry.',
        platforms: ['FACEBOOK'],
      },
      {
        inDays: 4,
        at: '12:00',
        content: 'Winter tyres: what we ride, and what we stopped riding.',
        platforms: ['REDDIT', 'THREADS'],
      },
      {
        inDays: 6,
        at: '09:00',
        content: 'The new frame is painted. You choose the name.',
        platforms: ['PINTEREST', 'INSTAGRAM'],
        media: 'https://media.upnext.example/frame.jpg',
      },
      {
        inDays: 9,
        at: '15:00',
        content: 'Thanks to everybody who rode for the shelter',
        platforms: ['LINKEDIN', 'FACEBOOK'],
        draft: true,
      },
    ],
    templates: [
      {
        title: 'Ride',
        content: '{day} ride: {distance} miles, {pace}. Meet at {place}.',
        description: 'The weekly announcement',
      },
    ],
    prompts: [
      {
        title: 'Route story',
        prompt_text: 'Tell this route as if to a friend who has never ridden it. Two sentences.',
        description: 'For rides',
      },
    ],
    sources: [{ source: 'https://harbor.example/rides.json', description: 'The ride calendar' }],
  },
]

type Seeding = { db: Db; now: Date; randomBytes: (size: number) => Buffer }

/** Nothing where the database holds a project already. */
export const seedDemo = ({
  db,
  now,
  randomBytes,
}: Seeding): Promise<{ admin: string; token: string } | undefined> =>
  inTransaction(db, async (db) => {
    await lockForSeeding(db)
    if (await isAnyProjectThere(db)) return undefined
    for (const project of PROJECTS) await seedProject(db, project, now)
    const admin = await ensurePerson(db, ADMIN)
    const token = mintToken(randomBytes)
    await saveToken(db, { user_id: admin.id, token, label: 'demo' })
    return { admin: ADMIN, token }
  })

async function seedProject(db: Db, demo: DemoProject, now: Date): Promise<void> {
  const project = await insertProject(db, demo.name)
  if (!project) throw new Error(`There is a project ${demo.name} already.`)
  const project_id = project.id
  for (const { email, ...user } of PEOPLE) {
    const person = await ensurePerson(db, email)
    await insertProjectUser(db, {
      project_id,
      user_id: person.id,
      phone_number: null,
      status: 'ACTIVE',
      ...user,
    })
  }
  for (const template of demo.templates) await insertTemplate(db, { project_id, ...template })
  for (const prompt of demo.prompts) await insertPrompt(db, { project_id, ...prompt })
  for (const source of demo.sources) await insertSource(db, { project_id, ...source })
  const entries: LogEntry[] = []
  for (const post of demo.posts) {
    const row = postRow(post, demo.timezone, now)
    const { id } = await insertPost(db, { project_id, ...row })
    entries.push(...entriesOf(row, { project_id, target_id: id }))
  }
  const message = `Made the project ${demo.name}.`
  const first = Math.min(...entries.map((entry) => entry.created_at.getTime()))
  entries.push({
    project_id,
    action: 'project.created',
    message,
    actor: 'operator',
    created_at: new Date(first),
  })
  await writeLog(
    db,
    entries.sort((a, b) => a.created_at.getTime() - b.created_at.getTime()),
  )
}

function postRow(post: DemoPost, timezone: string, now: Date) {
  const [hour = 0, minute = 0] = post.at.split(':').map(Number)
  const day = DateTime.fromJSDate(now, { zone: timezone }).plus({ days: post.inDays })
  const date = day.set({ hour, minute, second: 0, millisecond: 0 })
  const isPublished = date.toMillis() <= now.getTime()
  return {
    content: post.content,
    media: post.media ?? null,
    schedule_date: date.toJSDate(),
    timezone,
    platforms: post.platforms,
    status: post.draft ? ('DRAFT' as const) : isPublished ? ('PUBLISHED' as const) : ('SCHEDULED' as const),
    // Written some days before it goes out, and in any case before now.
    created_at: DateTime.min(date, DateTime.fromJSDate(now))
      .minus({ days: 4, minutes: minute + 7 })
      .toJSDate(),
    published_at: isPublished ? date.toJSDate() : null,
  }
}

type DemoRow = ReturnType<typeof postRow>

function entriesOf(row: DemoRow, about: { project_id: string; target_id: string }): LogEntry[] {
  const on = row.platforms.join(', ')
  const message = row.status === 'DRAFT' ? 'Saved a draft.' : `Scheduled a post on ${on}.`
  const entries: LogEntry[] = [
    { ...about, action: 'post.created', message, actor: EDITOR, created_at: row.created_at },
  ]
  if (row.published_at)
    entries.push({
      ...about,
      action: 'post.published',
      message: `Published a post on ${on}.`,
      actor: 'scheduler',
      created_at: row.published_at,
    })
  return entries
}

const FROM_ENVIRONMENT = 'API_TOKEN'

type AdminToken = { db: Db; now: Date; token: string | undefined }

/** Makes `token` one of the demo's admin, in place of the one that was set before. */
export const setAdminToken = ({ db, now, token }: AdminToken): Promise<string | undefined> =>
  inTransaction(db, async (db) => {
    await revokeTokensLabelled(db, FROM_ENVIRONMENT, now)
    const admin = token ? await findPerson(db, ADMIN) : undefined
    if (!admin || !token) return undefined
    await saveToken(db, { user_id: admin.id, token, label: FROM_ENVIRONMENT })
    return admin.email
  })
