import { DateTime } from 'luxon'
import { mintToken } from './commands/token.ts'
import { writeLog } from './storage/logs.ts'
import { ensurePerson, findPerson, insertProjectUser } from './storage/people.ts'
import { insertPost } from './storage/posts.ts'
import { insertProject, isAnyProjectThere, lockForSeeding } from './storage/projects.ts'
import { insertPrompt } from './storage/prompts.ts'
import { insertSource } from './storage/sources.ts'
import type { Db } from './storage/tables.ts'
import { insertTemplate } from './storage/templates.ts'
import { revokeTokensLabelled, saveToken } from './storage/tokens.ts'
import { inTransaction } from './storage/transaction.ts'
import type { Platform, Role } from './vocabulary.ts'

/** Two projects as a small agency might have them, so that a newcomer finds something to look at and to change. */

const ADMIN = 'mara@upnext.example'

type Person = { email: string; first_name: string; last_name: string; role: Role }

const PEOPLE: Person[] = [
  { email: ADMIN, first_name: 'Mara', last_name: 'Lindqvist', role: 'ADMIN' },
  { email: 'tomas@upnext.example', first_name: 'Tomas', last_name: 'Ferreira', role: 'EDITOR' },
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
  for (const post of demo.posts) await insertPost(db, { project_id, ...postRow(post, demo.timezone, now) })
  const message = `Made the project ${demo.name}, with ${demo.posts.length} posts.`
  await writeLog(db, [{ project_id, action: 'project.created', message, actor: 'demo', created_at: now }])
}

function postRow(post: DemoPost, timezone: string, now: Date) {
  const [hour = 0, minute = 0] = post.at.split(':').map(Number)
  const day = DateTime.fromJSDate(now, { zone: timezone }).plus({ days: post.inDays })
  return {
    content: post.content,
    media: post.media ?? null,
    template_id: null,
    prompt_id: null,
    schedule_date: day.set({ hour, minute, second: 0, millisecond: 0 }).toJSDate(),
    timezone,
    platforms: post.platforms,
    status: post.draft ? ('DRAFT' as const) : ('SCHEDULED' as const),
  }
}

const FROM_ENVIRONMENT = 'API_TOKEN'

/** Makes `token` one of the demo's admin, in place of the one that was set before. */
export const addAdminToken = ({
  db,
  now,
  token,
}: {
  db: Db
  now: Date
  token: string
}): Promise<string | undefined> =>
  inTransaction(db, async (db) => {
    const admin = await findPerson(db, ADMIN)
    if (!admin) return undefined
    await revokeTokensLabelled(db, FROM_ENVIRONMENT, now)
    await saveToken(db, { user_id: admin.id, token, label: FROM_ENVIRONMENT })
    return admin.email
  })
