import { notFound, ok } from '../answer.ts'
import { operation } from '../operation.ts'
import { deleteStagedFile } from '../storage/staged-files.ts'

export const deleteFile = operation({
  id: 'deleteFile',
  method: 'DELETE',
  path: '/api/v1/common/file',
  needs: 'ADMIN_OF_ANY_PROJECT',
  async answer({ db, caller, log }) {
    const file = await deleteStagedFile(db, caller.token_id)
    if (!file) return notFound('This token has no staged file.')
    const message = `Deleted the file ${file.name}.`
    await log({ action: 'file.deleted', message })
    return ok({ Name: file.name })
  },
})
