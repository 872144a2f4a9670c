import { ERASED, type PersonalDataRules } from '../../database/personal-data.ts'
import { wouldRemoveLastAdmin } from './people-store.ts'
import { lockProjectUsers } from './projects-store.ts'
import type { Tables } from './tables.ts'

/** How people's data in the service's tables is exported and erased. Their work for a project stays. */
export const SERVICE_RULES: PersonalDataRules<Tables> = {
  person: { effect: 'delete', serviceUser: ({ id, email }) => ({ ids: { id }, email }) },
  project_user: {
    effect: 'delete',
    serviceUser: ({ user_id }) => ({ ids: { user_id } }),
    async findErasureObstacle(db, user) {
      await lockProjectUsers(db, user.project_id)
      return (await wouldRemoveLastAdmin(db, user, { role: 'VIEWER', status: 'INACTIVE' }))
        ? `This person is the last admin of the project ${user.project_id}. Make someone else ADMIN first, with "npm run service -- user add".`
        : undefined
    },
  },
  token: { effect: 'delete', serviceUser: ({ id, user_id }) => ({ ids: { id, user_id } }) },
  staged_file: { effect: 'delete', serviceUser: ({ token_id }) => ({ ids: { token_id } }) },
  idempotency_key: { effect: 'delete', serviceUser: ({ user_id }) => ({ ids: { user_id } }) },
  log: {
    effect: 'blank',
    serviceUser: ({ target_id }) => ({ ids: { target_id } }),
    // Messages about tokens and files contain labels and file names, which may name a person.
    alsoBlank: ({ action }) => (/^(token|file)\./.test(action) ? { message: ERASED } : {}),
  },
  post: { effect: 'keep' },
  prompt: { effect: 'keep' },
  source: { effect: 'keep' },
  template: { effect: 'keep' },
  account: { effect: 'keep', ignored: ['credentials'] },
  heartbeat: 'nothing personal',
  webhook: { effect: 'keep', ignored: ['secret'] },
  // The jobs contain only posts and their ids, and posts are kept.
  job: { effect: 'keep' },
  project: 'nothing personal',
}
