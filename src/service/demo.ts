import { DateTime } from 'luxon'
import {
  DEMO_ADMIN,
  DEMO_EDITOR,
  DEMO_PEOPLE,
  DEMO_PROJECTS,
  type DemoPost,
  type DemoProject,
} from './demo-projects.ts'
import { inTransaction } from './stores/database.ts'
import { insertLogEntries, type LogEntry } from './stores/logs-store.ts'
import { findOrCreatePerson, findPerson, insertProjectUser } from './stores/people-store.ts'
import { insertPost } from './stores/posts-store.ts'
import { hasProjects, insertProject, lockProjectTable } from './stores/projects-store.ts'
import { insertPrompt, insertTemplate } from './stores/prompts-and-templates-store.ts'
import { insertSource } from './stores/sources-store.ts'
import type { Db } from './stores/tables.ts'
import { generateToken, revokeTokensWithLabel, saveToken } from './stores/tokens-store.ts'

type RandomBytes = (size: number) => Buffer

/** Creates the demo projects and a token of their admin. Returns undefined if the database already has a project. */
export const createDemoData = ({
  db,
  now,
  randomBytes,
}: {
  db: Db
  now: Date
  randomBytes: RandomBytes
}): Promise<{ adminEmail: string; token: string } | undefined> =>
  inTransaction(db, async (db) => {
    await lockProjectTable(db)
    if (await hasProjects(db)) return undefined
    for (const project of DEMO_PROJECTS) await createDemoProject(db, project, now)
    const admin = await findOrCreatePerson(db, DEMO_ADMIN)
    const token = generateToken(randomBytes)
    await saveToken(db, { user_id: admin.id, token, label: 'demo' })
    return { adminEmail: DEMO_ADMIN, token }
  })

async function createDemoProject(db: Db, demo: DemoProject, now: Date): Promise<void> {
  const project = await insertProject(db, demo.name)
  if (!project) throw new Error(`A project called ${demo.name} already exists.`)
  const project_id = project.id
  for (const { email, ...user } of DEMO_PEOPLE) {
    const { id } = await findOrCreatePerson(db, email)
    await insertProjectUser(db, { project_id, user_id: id, phone_number: null, status: 'ACTIVE', ...user })
  }
  for (const template of demo.templates) await insertTemplate(db, { project_id, ...template })
  for (const prompt of demo.prompts) await insertPrompt(db, { project_id, ...prompt })
  for (const source of demo.sources) await insertSource(db, { project_id, ...source })
  const entries: LogEntry[] = []
  for (const post of demo.posts) {
    const row = toPostRow(post, demo.timezone, now)
    const { id } = await insertPost(db, { project_id, ...row })
    entries.push(...toLogEntries(row, { project_id, target_id: id }))
  }
  entries.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
  await insertLogEntries(db, [
    {
      project_id,
      action: 'project.created',
      message: `Created the project ${demo.name}.`,
      actor: 'operator',
      created_at: entries[0]?.created_at ?? now,
    },
    ...entries,
  ])
}

function toPostRow(post: DemoPost, timezone: string, now: Date) {
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
    // At least four days before the post is published, and never in the future.
    created_at: DateTime.min(date, DateTime.fromJSDate(now))
      .minus({ days: 4, minutes: minute + 7 })
      .toJSDate(),
    published_at: isPublished ? date.toJSDate() : null,
  }
}

type DemoPostRow = ReturnType<typeof toPostRow>

function toLogEntries(post: DemoPostRow, target: { project_id: string; target_id: string }): LogEntry[] {
  const platforms = post.platforms.join(', ')
  const message = post.status === 'DRAFT' ? 'Saved a draft.' : `Scheduled a post on ${platforms}.`
  const created = {
    ...target,
    action: 'post.created',
    message,
    actor: DEMO_EDITOR,
    created_at: post.created_at,
  }
  if (!post.published_at) return [created]
  const published = {
    ...target,
    action: 'post.published',
    message: `Published a post on ${platforms}.`,
    actor: 'scheduler',
    created_at: post.published_at,
  }
  return [created, published]
}

const CONFIGURED_TOKEN_LABEL = 'API_TOKEN'

/** Makes `token` the only configured token of the demo admin. Returns undefined if there is no demo admin or token. */
export const setDemoAdminToken = ({
  db,
  now,
  token,
}: {
  db: Db
  now: Date
  token: string | undefined
}): Promise<string | undefined> =>
  inTransaction(db, async (db) => {
    await revokeTokensWithLabel(db, CONFIGURED_TOKEN_LABEL, now)
    const admin = token ? await findPerson(db, DEMO_ADMIN) : undefined
    if (!admin || !token) return undefined
    await saveToken(db, { user_id: admin.id, token, label: CONFIGURED_TOKEN_LABEL })
    return admin.email
  })

/** Creates a token of the demo admin for the bot in this process. */
export async function createDemoToken(
  db: Db,
  randomBytes: RandomBytes,
): Promise<{ id: string; token: string } | undefined> {
  const admin = await findPerson(db, DEMO_ADMIN)
  if (!admin) return undefined
  const token = generateToken(randomBytes)
  const { id } = await saveToken(db, { user_id: admin.id, token, label: 'bot' })
  return { id, token }
}
