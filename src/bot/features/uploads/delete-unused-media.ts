import type { WebClient } from '@slack/web-api'
import { addMs } from '../../../runtime.ts'
import type { Form } from '../../forms/form.ts'
import type { Bot } from '../../slack/bot.ts'
import { claimTeamsToCheck, deleteUnusedUploads, markUsed } from '../media/media-store.ts'
import { deleteThumbnails } from '../media/upload-thumbnail.ts'
import { findMediaUses } from './find-media-uses.ts'

const HOUR_MS = 60 * 60_000
const CHECK_INTERVAL_MS = 6 * HOUR_MS
/** The user may still correct the form whose file this is. */
const NEVER_USED_TTL_MS = 24 * HOUR_MS
const USED_TTL_MS = 30 * 24 * HOUR_MS

/** Deletes uploads that no post needs anymore. Their files follow, as those without an upload. */
export async function deleteUnusedMedia(bot: Bot, client: WebClient, forms: Form[]): Promise<void> {
  const { db, runtime } = bot
  const now = runtime.now()
  for (const team_id of await claimTeamsToCheck(db, now, addMs(now, -CHECK_INTERVAL_MS))) {
    const { byName, isComplete } = await findMediaUses(bot, team_id, forms)
    await markUsed(db, { team_id, names: [...byName.keys()] }, now)
    // An upload that wasn't found may be used where the search couldn't look.
    if (!isComplete) continue
    const unusedBefore = { neverUsed: addMs(now, -NEVER_USED_TTL_MS), used: addMs(now, -USED_TTL_MS) }
    await deleteThumbnails(bot, client, await deleteUnusedUploads(db, team_id, unusedBefore))
  }
}
