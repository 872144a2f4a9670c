import { z } from 'zod'
import { defineOperation, type RequestContext } from '../operation.ts'
import { checkAndSaveAccount } from '../publishing/check-account.ts'
import { toAccountRecord, toRecordList } from '../records.ts'
import * as store from '../stores/accounts-store.ts'
import type { Row } from '../stores/tables.ts'
import { notFound } from '../validation/errors.ts'

const ACCOUNTS_PATH = '/extensions/v1/projects/{project_id}/accounts'

export const listAccounts = defineOperation(`GET ${ACCOUNTS_PATH}`, {
  requiredRole: 'VIEWER',
  run: async ({ db, project_id, requireAccounts }) => ({
    ...toRecordList(await store.listAccounts(db, project_id), toAccountRecord),
    AreRequired: requireAccounts,
  }),
})

/**
 * Connecting an account disconnects the platform's previous one. No operation adds an account, because that takes
 * credentials, which only the operator has.
 */
export const connectAccount = defineOperation(`PUT ${ACCOUNTS_PATH}/{account_id}`, {
  requiredRole: 'ADMIN',
  body: { IsConnected: z.boolean() },
  async run(context) {
    const { db, body, log } = context
    const account = await requireAccount(context)
    if (body.IsConnected) await store.connectAccount(db, account)
    else await store.disconnectAccount(db, account)
    const action = body.IsConnected ? 'account.connected' : 'account.disconnected'
    const message = `${body.IsConnected ? 'Connected' : 'Disconnected'} ${account.name} (${account.platform}).`
    await log({ action, message, target_id: account.id })
    return toAccountRecord(await requireAccount(context))
  },
})

export const checkAccount = defineOperation(`PUT ${ACCOUNTS_PATH}/{account_id}/check`, {
  requiredRole: 'ADMIN',
  // Keeps a transaction from waiting for the network.
  skipsTransaction: true,
  async run(context) {
    const { db, now, publishers } = context
    const account = await requireAccount(context)
    return toAccountRecord(await checkAndSaveAccount(db, account, { publishers, now }))
  },
})

async function requireAccount({ db, project_id, params }: RequestContext): Promise<Row<'account'>> {
  const account = await store.findAccount(db, { project_id, id: params.account_id ?? '' })
  if (!account) throw notFound("This account doesn't exist.")
  return account
}
