import type { JobHandler } from '../../../jobs/job-queue.ts'
import { addMs } from '../../../runtime.ts'
import { DAY_MS } from '../../database/table-rules.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import {
  countStoredBytes,
  deleteUnusedUploads,
  MEDIA_CHECK,
  MEDIA_CHECK_INTERVAL_MS,
  markUsed,
} from '../media/media-store.ts'
import { deleteThumbnails } from '../media/upload-thumbnail.ts'
import { findUploadUses } from './find-upload-uses.ts'

/** An upload that no post uses yet may belong to a form that the user is still correcting. */
const NEVER_USED_TTL_MS = DAY_MS
export const USED_TTL_DAYS = 30

/** Deletes uploads that no post needs anymore. Files that no upload refers to anymore are deleted later. */
export const unusedUploadsHandler = ({ bot, client, modules }: WorkerContext): JobHandler => ({
  kind: MEDIA_CHECK,
  isRecurring: true,
  name: 'delete unused uploads',
  async run({ id: team_id }) {
    const { db, runtime } = bot
    const now = runtime.now()
    if (!(await countStoredBytes(db, team_id))) return undefined
    const { byName, isComplete } = await findUploadUses({ bot, modules }, team_id)
    await markUsed(db, { team_id, names: [...byName.keys()] }, now)
    // After an incomplete search, an upload may be in use although no use was found.
    if (isComplete) {
      const cutoffs = {
        uploadedBefore: addMs(now, -NEVER_USED_TTL_MS),
        lastUsedBefore: addMs(now, -USED_TTL_DAYS * DAY_MS),
      }
      await deleteThumbnails(bot, client, await deleteUnusedUploads(db, team_id, cutoffs))
    }
    return { due_at: addMs(now, MEDIA_CHECK_INTERVAL_MS) }
  },
})
