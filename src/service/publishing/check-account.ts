import { updateAccount } from '../stores/accounts-store.ts'
import type { Db, Row } from '../stores/tables.ts'
import type { Publishers } from './publisher.ts'

/** Asks the network whether the account can publish, and stores the answer. Returns the updated account. */
export async function checkAndSaveAccount(
  db: Db,
  account: Row<'account'>,
  { publishers, now }: { publishers: Publishers; now: Date },
): Promise<Row<'account'>> {
  const checked = await publishers[account.publisher]?.check(account)
  const change = {
    checked_at: now,
    ...(checked?.state === 'ok' && { name: checked.name, target: checked.target, problem: null }),
    ...(checked?.state === 'problem' && { problem: checked.problem }),
    ...(checked?.state === 'unreachable' && { problem: `${checked.error}. Try again later.` }),
    ...(!checked && { problem: "POSTIZ_URL and POSTIZ_API_KEY aren't set." }),
  }
  await updateAccount(db, account.id, change)
  return { ...account, ...change }
}
