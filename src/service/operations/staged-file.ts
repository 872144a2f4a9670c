import { MAX_LENGTH, MAX_STAGED_FILE_BYTES } from '../allowed-values.ts'
import { invalid, notFound, ok, operation } from '../operation.ts'
import { deleteStagedFile, saveStagedFile } from '../stores/staged-files-store.ts'
import { nonBlankText } from '../validation/fields.ts'
import { missingField } from '../validation/validation-error.ts'

/** Delete File doesn't say which file. This extension of the contract gives a token the file to delete. */
export const stageFile = operation({
  id: 'stageFile',
  method: 'PUT',
  path: '/extensions/v1/staged-file',
  requiredRole: 'ADMIN_OF_ANY_PROJECT',
  query: { name: nonBlankText(MAX_LENGTH.name) },
  maxRawBodyBytes: MAX_STAGED_FILE_BYTES,
  async run({ db, now, caller, query: { name }, rawBody, log }) {
    if (!rawBody.length) return invalid([missingField(['body'], null)])
    await saveStagedFile(db, { token_id: caller.token_id, name, content: rawBody, staged_at: now })
    await log({ action: 'file.staged', message: `Staged the file ${name}.` })
    return ok({ Name: name, Size: rawBody.length, StagedAt: now.toISOString() })
  },
})

export const deleteFile = operation({
  id: 'deleteFile',
  method: 'DELETE',
  path: '/api/v1/common/file',
  requiredRole: 'ADMIN_OF_ANY_PROJECT',
  async run({ db, caller, log }) {
    const file = await deleteStagedFile(db, caller.token_id)
    if (!file) return notFound('This token has no staged file.')
    await log({ action: 'file.deleted', message: `Deleted the file ${file.name}.` })
    return ok({ Name: file.name })
  },
})
