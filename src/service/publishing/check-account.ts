import { updateAccount } from '../stores/accounts-store.ts'
import type { Db, Row } from '../stores/tables.ts'
import type { Publishers } from './publisher.ts'

/**
 * Asks the network whether the account can publish, and stores the answer. Returns the updated account. If the network
 * can't be reached, nothing is stored, because the account may work.
 */
export async function checkAndSaveAccount(
  db: Db,
  account: Row<'account'>,
  { publishers, now }: { publishers: Publishers; now: Date },
): Promise<Row<'account'>> {
  const outcome = await publishers[account.publisher]?.check(account)
  if (outcome?.state === 'unreachable') return { ...account, problem: `${outcome.error}. Try again later.` }
  const change = {
    checked_at: now,
    ...(outcome?.state === 'ok' && { name: outcome.name, target: outcome.target, problem: null }),
    ...(outcome?.state === 'problem' && { problem: outcome.problem }),
    ...(!outcome && {
      problem:
        "Postiz isn't set up. Ask the person who runs Upnext to set POSTIZ_URL and POSTIZ_API_KEY, then check the account again.",
    }),
  }
  await updateAccount(db, account.id, change)
  return { ...account, ...change }
}
