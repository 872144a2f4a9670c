import { DateTime } from 'luxon'
import { ADMIN, type DemoPost, type DemoProject, EDITOR, PEOPLE, PROJECTS } from './demo-projects.ts'
import { type LogEntry, writeLog } from './storage/logs.ts'
import { ensurePerson, findPerson, insertProjectUser } from './storage/people.ts'
import { insertPost } from './storage/posts.ts'
import { insertProject, isAnyProjectThere, lockForSeeding } from './storage/projects.ts'
import { insertPrompt } from './storage/prompts.ts'
import { insertSource } from './storage/sources.ts'
import type { Db } from './storage/tables.ts'
import { insertTemplate } from './storage/templates.ts'
import { mintToken, revokeToken, revokeTokensLabelled, saveToken } from './storage/tokens.ts'
import { inTransaction } from './storage/transaction.ts'

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

type LentToken = { token: string; takeBack: (now: Date) => Promise<void> }

/** A token of the demo's admin for who runs in the same process, and only as long as that runs. */
export async function lendToken({
  db,
  randomBytes,
}: {
  db: Db
  randomBytes: (size: number) => Buffer
}): Promise<LentToken | undefined> {
  const admin = await findPerson(db, ADMIN)
  if (!admin) return undefined
  const token = mintToken(randomBytes)
  const { id } = await saveToken(db, { user_id: admin.id, token, label: 'the bot of this process' })
  return { token, takeBack: async (now) => void (await revokeToken(db, id, now)) }
}
