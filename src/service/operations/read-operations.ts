import { MAX_LOG_ENTRIES, MAX_PAGE_SIZE, PLATFORMS, POST_STATUSES } from '../allowed-values.ts'
import { defineOperation, notFound, ok } from '../operation.ts'
import { listRecord, logRecord, postRecord, projectRecord, sourceRecord, templateRecord } from '../records.ts'
import { listLogEntries } from '../stores/logs-store.ts'
import * as postsStore from '../stores/posts-store.ts'
import { listProjectsOfUser } from '../stores/projects-store.ts'
import * as templatesStore from '../stores/prompts-and-templates-store.ts'
import * as sourcesStore from '../stores/sources-store.ts'
import { type ParsedDateTime, resolveDateTime } from '../validation/date-time.ts'
import { enumField, queryDateTimeField, queryIntegerField, queryListField } from '../validation/fields.ts'

export const listProjects = defineOperation({
  id: 'listProjects',
  method: 'GET',
  path: '/api/v1/projects',
  requiredRole: 'NONE',
  async run({ db, caller }) {
    const projects = await listProjectsOfUser(db, caller.user_id)
    return ok(listRecord(projects.map(projectRecord)))
  },
})

export const listPosts = defineOperation({
  id: 'listPosts',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/posts',
  requiredRole: 'VIEWER',
  query: {
    skip: queryIntegerField({ min: 0, max: 2 ** 31 - 1 }).default(0),
    limit: queryIntegerField({ min: 1, max: MAX_PAGE_SIZE }).default(100),
    schedule_date_from: queryDateTimeField().optional(),
    schedule_date_to: queryDateTimeField().optional(),
    platforms: queryListField(enumField(PLATFORMS)).default([]),
    status: queryListField(enumField(POST_STATUSES)).default([]),
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

/** Unlike a post, the query of List Posts has no Timezone, so dates without an offset are in UTC. */
const resolveInUtc = (dateTime: ParsedDateTime | undefined) => dateTime && resolveDateTime(dateTime, 'utc')

export const getUpnextPost = defineOperation({
  id: 'getUpnextPost',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/dashboard/upnext-post',
  requiredRole: 'VIEWER',
  async run({ db, project_id }) {
    const post = await postsStore.findNextPost(db, project_id)
    return ok(post ? postRecord(post) : null)
  },
})

export const listTemplates = defineOperation({
  id: 'listTemplates',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/templates',
  requiredRole: 'VIEWER',
  async run({ db, project_id }) {
    const templates = await templatesStore.listTemplates(db, project_id)
    return ok(listRecord(templates.map(templateRecord)))
  },
})

export const getTemplate = defineOperation({
  id: 'getTemplate',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/templates/{template_id}',
  requiredRole: 'VIEWER',
  async run({ db, project_id, params }) {
    const template = await templatesStore.findTemplate(db, project_id, params.template_id ?? '')
    return template ? ok(templateRecord(template)) : notFound("This template doesn't exist in the project.")
  },
})

export const listSources = defineOperation({
  id: 'listSources',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/sources',
  requiredRole: 'VIEWER',
  async run({ db, project_id }) {
    const sources = await sourcesStore.listSources(db, project_id)
    return ok(listRecord(sources.map(sourceRecord)))
  },
})

export const listLogs = defineOperation({
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
