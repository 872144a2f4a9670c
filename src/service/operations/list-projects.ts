import { ok } from '../answer.ts'
import { operation } from '../operation.ts'
import { listOf, projectRecord } from '../records.ts'
import { listProjectsOf } from '../storage/projects.ts'

export const listProjects = operation({
  id: 'listProjects',
  method: 'GET',
  path: '/api/v1/projects',
  needs: 'TOKEN',
  async answer({ db, caller }) {
    const projects = await listProjectsOf(db, caller.user_id)
    return ok(listOf(projects.map(projectRecord)))
  },
})
