import { DateTime } from 'luxon'
import { addMs } from '../runtime.ts'
import { demoImageUrl } from './demo-images.ts'
import { DEMO_PROJECTS, type DemoProject } from './demo-projects.ts'
import { insertLogEntries, type LogEntry } from './stores/logs-store.ts'
import { findOrCreatePerson, findPerson, insertProjectUser } from './stores/people-store.ts'
import { insertPost } from './stores/posts-store.ts'
import { insertProject, listProjects, lockProjectTable } from './stores/projects-store.ts'
import { insertPrompt, insertSource, insertTemplate } from './stores/prompts-templates-sources-store.ts'
import type { Db } from './stores/tables.ts'
import {
  findMembership,
  findTokenOwner,
  hashToken,
  revokeTokensWithLabel,
  saveToken,
} from './stores/tokens-store.ts'

export const DEMO_ADMIN_EMAIL = 'mara@upnext.example'
const DEMO_EDITOR_EMAIL = 'tomas@upnext.example'

const DEMO_USERS = [
  { email: DEMO_ADMIN_EMAIL, first_name: 'Mara', last_name: 'Lindqvist', role: 'ADMIN' as const },
  { email: DEMO_EDITOR_EMAIL, first_name: 'Tomas', last_name: 'Ferreira', role: 'EDITOR' as const },
  { email: 'ines@upnext.example', first_name: 'Ines', last_name: 'Okafor', role: 'VIEWER' as const },
]

type DemoOptions = { token: string; serviceUrl: string; now: Date }

/** Creates the demo projects and a token for their admin. Returns false if there is already a project. */
export const createDemoData = (db: Db, { token, ...options }: DemoOptions): Promise<boolean> =>
  db.transaction().execute(async (db) => {
    await lockProjectTable(db)
    if ((await listProjects(db)).length) return false
    for (const project of DEMO_PROJECTS) await createDemoProject(db, project, options)
    await saveDemoToken(db, token, 'demo')
    return true
  })

/** Backdates the creation of the project by four days, because some of its posts are already published. */
async function createDemoProject(
  db: Db,
  { name, timezone, posts, ...demo }: DemoProject,
  { now: startedAt, serviceUrl }: Omit<DemoOptions, 'token'>,
): Promise<void> {
  const project = await insertProject(db, name)
  if (!project) throw new Error(`A project called ${name} already exists.`)
  const project_id = project.id
  for (const { email, ...user } of DEMO_USERS) {
    const { id } = await findOrCreatePerson(db, email)
    await insertProjectUser(db, { project_id, user_id: id, status: 'ACTIVE', ...user })
  }
  await insertTemplate(db, { project_id, ...demo.template })
  await insertPrompt(db, { project_id, ...demo.prompt })
  await insertSource(db, { project_id, ...demo.source })
  const now = DateTime.fromJSDate(startedAt, { zone: timezone })
  let created_at = now.minus({ days: 4 }).toJSDate()
  const entries: LogEntry[] = []
  const addEntry = (entry: Omit<LogEntry, 'project_id'>) => entries.push({ project_id, ...entry })
  const creation = `Created the project ${name}.`
  addEntry({ action: 'project.created', message: creation, actor: 'operator', created_at })
  for (const { dateOffset, isDraft, image, ...post } of posts) {
    created_at = addMs(created_at, 7 * 60_000)
    const schedule_date = now.startOf('day').plus(dateOffset).toJSDate()
    const published_at = dateOffset.days < 0 ? schedule_date : null
    const status = isDraft ? 'DRAFT' : published_at ? 'PUBLISHED' : 'SCHEDULED'
    const media = image ? demoImageUrl(serviceUrl, image) : null
    const row = {
      ...post,
      media,
      project_id,
      timezone,
      schedule_date,
      status,
      created_at,
      published_at,
    } as const
    const { id: target_id } = await insertPost(db, row)
    const platforms = post.platforms.join(', ')
    const message = isDraft ? 'Saved a draft.' : `Scheduled a post on ${platforms}.`
    addEntry({ action: 'post.created', message, actor: DEMO_EDITOR_EMAIL, target_id, created_at })
    if (published_at) {
      const message = `Published a post on ${platforms}.`
      addEntry({ action: 'post.published', message, actor: 'scheduler', target_id, created_at: published_at })
    }
  }
  entries.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
  await insertLogEntries(db, entries)
}

/** Returns undefined if there is no demo admin. */
export async function saveDemoToken(db: Db, token: string, label: string) {
  const admin = await findPerson(db, DEMO_ADMIN_EMAIL)
  return admin && saveToken(db, { user_id: admin.id, token, label })
}

export const CONFIGURED_TOKEN_LABEL = 'API_TOKEN'

export const UNKNOWN_TOKEN_MESSAGE =
  'API_TOKEN isn\'t a token of the embedded service. Create one with "npm run service -- token add", and set API_TOKEN to it.'

/**
 * Makes API_TOKEN a token of the demo admin, and revokes the one from the previous start. A token of another user isn't
 * reassigned.
 */
export const setConfiguredToken = (db: Db, token: string | undefined, now: Date): Promise<TokenState> =>
  db.transaction().execute(async (db) => {
    const admin = await findPerson(db, DEMO_ADMIN_EMAIL)
    const own = admin && { user_id: admin.id, label: CONFIGURED_TOKEN_LABEL }
    if (own) await revokeTokensWithLabel(db, own, { except: token, now })
    if (!token) return 'unset'
    if (await isValidToken(db, token)) return 'valid'
    if (!own || !(await canBecomeDemoToken(db, token, own.user_id))) return 'unknown'
    await saveToken(db, { ...own, token })
    return 'given to the demo admin'
  })

/** Whether an invalid token may become a token of the demo admin. One that an operator created and revoked may not. */
async function canBecomeDemoToken(db: Db, token: string, admin_id: string): Promise<boolean> {
  const known = await findTokenOwner(db, token)
  return !known || (known.user_id === admin_id && known.label === CONFIGURED_TOKEN_LABEL)
}

type TokenState = 'unset' | 'valid' | 'given to the demo admin' | 'unknown'

const isValidToken = async (db: Db, token: string): Promise<boolean> =>
  (await findMembership(db, { hash: hashToken(token), project_id: null })) !== undefined

/** Whether the bot will have a token at the next start: either `token` or a token of the demo admin. */
export async function willHaveToken(
  db: Db,
  token: string | undefined,
  { wantsDemo }: { wantsDemo: boolean },
): Promise<boolean> {
  const admin = await findPerson(db, DEMO_ADMIN_EMAIL)
  const willHaveAdmin = admin !== undefined || (wantsDemo && !(await listProjects(db)).length)
  if (token === undefined) return willHaveAdmin && wantsDemo
  return (
    (await isValidToken(db, token)) ||
    (willHaveAdmin && (await canBecomeDemoToken(db, token, admin?.id ?? '')))
  )
}
