import type { ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Bot, TypingUpdate } from '../slack/bot.ts'
import { updateModal } from '../slack/handle-request.ts'
import { isLatestAction } from './open-form-store.ts'

/** The form is updated when the user has stopped typing for this long. */
export const TYPING_PAUSE_MS = 400
/** A form is updated at most once in this time. */
const MIN_INTERVAL_MS = 900

const MAX_FORMS = 1000

const MAX_REPLACED = 5

/** An update after typing may have replaced the version that an action was received for. */
export const latestHash = (typed: TypingUpdate | undefined, hash: string | undefined): string | undefined =>
  typed?.replaced.includes(hash ?? '') ? typed.hash : hash

type Keystroke = { view_id: string; hash: string | undefined; action_ts: string }

/**
 * Updates a form after the latest keystroke, whichever instance receives it. The hash keeps the update from undoing a later
 * change. A form that had no projects yet is updated without a hash.
 */
export async function updateWhileTyping(
  { db, runtime, typingUpdates }: Bot,
  client: WebClient,
  { view_id, hash, action_ts }: Keystroke,
  buildView: () => Promise<ModalView>,
): Promise<void> {
  await runtime.sleep(TYPING_PAUSE_MS)
  const { updatedAt = 0 } = (await typingUpdates.get(view_id)) ?? {}
  await runtime.sleep(Math.max(0, updatedAt + MIN_INTERVAL_MS - runtime.now().getTime()))
  if (!(await isLatestAction(db, { view_id, action_ts }))) return
  const view = await buildView()
  if (!(await isLatestAction(db, { view_id, action_ts }))) return
  // The update for an earlier keystroke may still be running. This update needs the hash that the earlier one returns.
  const earlier = typingUpdates.get(view_id)
  const update = async () => {
    const typed = await earlier
    const version = { id: view_id, hash: latestHash(typed, hash) }
    const updated = await updateModal(client, version, view)
    // An unchanged hash means that nothing was updated, because the form was changed, submitted or closed.
    if (updated.hash === version.hash) return undefined
    const replaced = [...(typed?.replaced ?? []), version.hash ?? ''].slice(-MAX_REPLACED)
    return { hash: updated.hash, updatedAt: runtime.now().getTime(), replaced }
  }
  const updating = update()
  if (typingUpdates.size >= MAX_FORMS) typingUpdates.clear()
  typingUpdates.set(
    view_id,
    updating.catch(() => undefined),
  )
  await updating
}
