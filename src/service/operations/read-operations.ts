import { MAX_LOG_ENTRIES, MAX_PAGE_SIZE, PLATFORMS, POST_STATUSES } from '../allowed-values.ts'
import { notFound, ok, operation } from '../operation.ts'
import { listRecord, logRecord, postRecord, projectRecord, sourceRecord, templateRecord } from '../records.ts'
import { listLogEntries } from '../stores/logs-store.ts'
import * as postsStore from '../stores/posts-store.ts'
import { listProjectsOfUser } from '../stores/projects-store.ts'
import * as templatesStore from '../stores/prompts-and-templates-store.ts'
import * as sourcesStore from '../stores/sources-store.ts'
import { type ParsedDateTime, resolveDateTime } from '../validation/date-time.ts'
import { oneOf, queryDateTime, queryInteger, queryList } from '../validation/fields.ts'

export const listProjects = operation({
  id: 'listProjects',
  method: 'GET',
  path: '/api/v1/projects',
  requiredRole: 'NONE',
  async run({ db, caller }) {
    const projects = await listProjectsOfUser(db, caller.user_id)
    return ok(listRecord(projects.map(projectRecord)))
  },
})

export const listPosts = operation({
  id: 'listPosts',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/posts',
  requiredRole: 'VIEWER',
  query: {
    skip: queryInteger({ min: 0, max: 2 ** 31 - 1 }).default(0),
    limit: queryInteger({ min: 1, max: MAX_PAGE_SIZE }).default(100),
    schedule_date_from: queryDateTime().optional(),
    schedule_date_to: queryDateTime().optional(),
    platforms: queryList(oneOf(PLATFORMS)).default([]),
    status: queryList(oneOf(POST_STATUSES)).default([]),
  },
  async run({ db, project_id, query }) {
    const { skip, limit, schedule_date_from, schedule_date_to, platforms, status } = query
    const page = await postsStore.listPosts(db, {
      project_id,
      skip,
      limit,
      from: resolveInUtc(schedule_date_from),
      to: resolveInUtc(schedule_date_to),
      platforms,
      statuses: status,
    })
    return ok(listRecord(page.posts.map(postRecord), page.total, page.hasMore))
  },
})

/** The query has no Timezone field, unlike a post. */
const resolveInUtc = (dateTime: ParsedDateTime | undefined) => dateTime && resolveDateTime(dateTime, 'utc')

export const getUpnextPost = operation({
  id: 'getUpnextPost',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/dashboard/upnext-post',
  requiredRole: 'VIEWER',
  async run({ db, project_id }) {
    const post = await postsStore.findNextPost(db, project_id)
    return ok(post ? postRecord(post) : null)
  },
})

export const listTemplates = operation({
  id: 'listTemplates',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/templates',
  requiredRole: 'VIEWER',
  async run({ db, project_id }) {
    const templates = await templatesStore.listTemplates(db, project_id)
    return ok(listRecord(templates.map(templateRecord)))
  },
})

export const getTemplate = operation({
  id: 'getTemplate',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/templates/{template_id}',
  requiredRole: 'VIEWER',
  async run({ db, project_id, params }) {
    const template = await templatesStore.findTemplate(db, project_id, params.template_id ?? '')
    return template ? ok(templateRecord(template)) : notFound("This template doesn't exist in the project.")
  },
})

export const listSources = operation({
  id: 'listSources',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/sources',
  requiredRole: 'VIEWER',
  async run({ db, project_id }) {
    const sources = await sourcesStore.listSources(db, project_id)
    return ok(listRecord(sources.map(sourceRecord)))
  },
})

export const listLogs = operation({
  id: 'listLogs',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/logs',
  requiredRole: 'VIEWER',
  async run({ db, project_id }) {
    const entries = await listLogEntries(db, { project_id, limit: MAX_LOG_ENTRIES + 1 })
    const newest = entries.slice(0, MAX_LOG_ENTRIES)
    return ok(listRecord(newest.map(logRecord), newest.length, entries.length > newest.length))
  },
})
