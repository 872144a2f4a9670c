import type { Module } from '../../slack/feature.ts'
import { listAccounts } from './list-accounts.ts'

export const accountsModule: Module = { features: [listAccounts] }
