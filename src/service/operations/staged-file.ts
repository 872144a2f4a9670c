import { defineOperation } from '../operation.ts'
import { deleteStagedFile, MAX_STAGED_FILE_BYTES, saveStagedFile } from '../stores/tokens-store.ts'
import { missingField, notFound, validationFailed } from '../validation/errors.ts'
import { requiredTextField } from '../validation/fields.ts'
import { MAX_LENGTH } from './field-lengths.ts'

/** The contract's Delete File can't name a file, so it deletes the one that is staged for the caller's token. */
export const stageFile = defineOperation('PUT /extensions/v1/staged-file', {
  requiredRole: 'ADMIN_OF_ANY_PROJECT',
  query: { name: requiredTextField(MAX_LENGTH.name) },
  maxRawBodyBytes: MAX_STAGED_FILE_BYTES,
  async run({ db, now, caller, query: { name }, rawBody, log }) {
    if (!rawBody.length) throw validationFailed(missingField(['body'], null))
    await saveStagedFile(db, { token_id: caller.token_id, name, content: rawBody, staged_at: now })
    await log({ action: 'file.staged', message: `Staged the file ${name}.` })
    return { Name: name, Size: rawBody.length, StagedAt: now.toISOString() }
  },
})

export const deleteFile = defineOperation('DELETE /api/v1/common/file', {
  requiredRole: 'ADMIN_OF_ANY_PROJECT',
  async run({ db, caller, log }) {
    const file = await deleteStagedFile(db, caller.token_id)
    if (!file) throw notFound('This token has no staged file.')
    await log({ action: 'file.deleted', message: `Deleted the file ${file.name}.` })
    return { Name: file.name }
  },
})
