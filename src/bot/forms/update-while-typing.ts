import type { ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Bot } from '../slack/bot.ts'
import { updateModal } from '../slack/handle-request.ts'
import { claimUpdate, isLatestAction, saveViewHash } from './open-form-store.ts'

/** The form is updated when the user has stopped typing for this long. */
export const TYPING_PAUSE_MS = 400

type TypedKey = { view_id: string; hash: string | undefined; action_ts: string }

/**
 * Updates a form after a key, unless another one follows: on whichever instance it arrives, only the latest key updates
 * the form. The hash keeps the update from undoing a change that was made meanwhile. A form that had no projects yet is
 * updated without one.
 */
export async function updateWhileTyping(
  { db, runtime }: Bot,
  client: WebClient,
  { view_id, hash, action_ts }: TypedKey,
  buildView: () => Promise<ModalView>,
): Promise<void> {
  await runtime.sleep(TYPING_PAUSE_MS)
  let claim = await claimUpdate(db, { view_id, action_ts }, runtime.now())
  while (claim.kind === 'wait') {
    await runtime.sleep(claim.ms)
    claim = await claimUpdate(db, { view_id, action_ts }, runtime.now())
  }
  if (claim.kind === 'stale') return
  const version = { id: view_id, hash: claim.view_hash ?? hash }
  const view = await buildView()
  if (!version.hash && !(await isLatestAction(db, { view_id, action_ts }))) return
  const updated = await updateModal(client, version, view)
  if (updated.hash !== version.hash) await saveViewHash(db, view_id, updated.hash ?? null)
}
