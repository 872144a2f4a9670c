import type { Module } from '../../slack/module.ts'
import { listAccounts } from './list-accounts.ts'

export const accountsModule: Module = { features: [listAccounts] }
