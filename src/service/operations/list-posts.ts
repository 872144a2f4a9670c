import { ok } from '../answer.ts'
import { choice, queryInteger, queryList, queryMoment } from '../checks/fields.ts'
import { type Moment, placeMoment } from '../checks/moment.ts'
import { LIMITS } from '../limits.ts'
import { operation } from '../operation.ts'
import { listOf, postRecord } from '../records.ts'
import * as posts from '../storage/posts.ts'
import { PLATFORMS, POST_STATUSES } from '../vocabulary.ts'

export const listPosts = operation({
  id: 'listPosts',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/posts',
  needs: 'VIEWER',
  query: {
    skip: queryInteger({ min: 0, max: 2 ** 31 - 1 }).default(0),
    limit: queryInteger({ min: 1, max: LIMITS.page }).default(100),
    schedule_date_from: queryMoment().optional(),
    schedule_date_to: queryMoment().optional(),
    platforms: queryList(choice(PLATFORMS)).default([]),
    status: queryList(choice(POST_STATUSES)).default([]),
  },
  async answer({ db, project_id, query }) {
    const { skip, limit, schedule_date_from, schedule_date_to, platforms, status } = query
    const page = await posts.listPosts(db, {
      project_id,
      skip,
      limit,
      from: inUtc(schedule_date_from),
      to: inUtc(schedule_date_to),
      platforms: [...new Set(platforms)],
      statuses: [...new Set(status)],
    })
    return ok(listOf(page.posts.map(postRecord), page.total, { more: !page.exact }))
  },
})

/** A bound is no post: it has no Timezone to be read in. */
const inUtc = (bound: Moment | undefined) => bound && placeMoment(bound, 'utc')
