import { DateTime } from 'luxon'
import type { Runtime } from '../runtime.ts'
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

type DemoRuntime = Pick<Runtime, 'now' | 'randomBytes'>

/** Creates the demo projects and a token of their admin, unless the database already has a project. */
export const createDemoData = (
  db: Db,
  { now, randomBytes }: DemoRuntime,
): Promise<{ adminEmail: string; token: string } | undefined> =>
  inTransaction(db, async (db) => {
    await lockProjectTable(db)
    if (await hasProjects(db)) return undefined
    for (const project of DEMO_PROJECTS) await createDemoProject(db, project, now())
    const token = await createDemoToken(db, { randomBytes }, 'demo')
    return token && { adminEmail: DEMO_ADMIN, token: token.token }
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
  const message = `Created the project ${demo.name}.`
  const created_at = entries[0]?.created_at ?? now
  const created = { project_id, action: 'project.created', message, actor: 'operator', created_at }
  await insertLogEntries(db, [created, ...entries])
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
    // Demo posts were created at least four days before their date, and never in the future.
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
  const { created_at, published_at } = post
  const created = { ...target, action: 'post.created', message, actor: DEMO_EDITOR, created_at }
  if (!published_at) return [created]
  const published = { action: 'post.published', message: `Published a post on ${platforms}.` }
  return [created, { ...target, ...published, actor: 'scheduler', created_at: published_at }]
}

const CONFIGURED_TOKEN_LABEL = 'API_TOKEN'

/** Replaces the demo admin's token from the configuration. Returns the admin's email, if there is one. */
export const setDemoAdminToken = (
  db: Db,
  token: string | undefined,
  now: Date,
): Promise<string | undefined> =>
  inTransaction(db, async (db) => {
    await revokeTokensWithLabel(db, CONFIGURED_TOKEN_LABEL, now)
    const admin = token ? await findPerson(db, DEMO_ADMIN) : undefined
    if (!admin || !token) return undefined
    await saveToken(db, { user_id: admin.id, token, label: CONFIGURED_TOKEN_LABEL })
    return admin.email
  })

/** Returns undefined if there is no demo admin. */
export async function createDemoToken(
  db: Db,
  { randomBytes }: Pick<Runtime, 'randomBytes'>,
  label: string,
): Promise<{ id: string; token: string } | undefined> {
  const admin = await findPerson(db, DEMO_ADMIN)
  if (!admin) return undefined
  const token = generateToken(randomBytes)
  const { id } = await saveToken(db, { user_id: admin.id, token, label })
  return { id, token }
}
