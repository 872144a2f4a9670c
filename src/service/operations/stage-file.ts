import { invalid, ok } from '../answer.ts'
import { missing } from '../checks/fault.ts'
import { filledText } from '../checks/fields.ts'
import { LIMITS } from '../limits.ts'
import { operation } from '../operation.ts'
import { saveStagedFile } from '../storage/staged-files.ts'

/** Of our own: it gives Delete File, which names no file, one to delete. See openapi/extensions.v1.yaml. */
export const stageFile = operation({
  id: 'stageFile',
  method: 'PUT',
  path: '/extensions/v1/staged-file',
  needs: 'ADMIN_OF_ANY_PROJECT',
  query: { name: filledText(LIMITS.name) },
  rawBodyLimit: LIMITS.stagedFile,
  async answer({ db, now, caller, query: { name }, rawBody, log }) {
    if (!rawBody.length) return invalid([missing(['body'], null)])
    await saveStagedFile(db, { token_id: caller.token_id, name, content: rawBody, staged_at: now })
    await log({ action: 'file.staged', message: `Staged the file ${name}.` })
    return ok({ Name: name, Size: rawBody.length, StagedAt: now.toISOString() })
  },
})
