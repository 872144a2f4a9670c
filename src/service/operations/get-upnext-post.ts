import { ok } from '../answer.ts'
import { operation } from '../operation.ts'
import { postRecord } from '../records.ts'
import { findNextPost } from '../storage/posts.ts'

export const getUpnextPost = operation({
  id: 'getUpnextPost',
  method: 'GET',
  path: '/api/v1/projects/{project_id}/dashboard/upnext-post',
  needs: 'VIEWER',
  async answer({ db, project_id }) {
    const next = await findNextPost(db, project_id)
    return ok(next ? postRecord(next) : null)
  },
})
