import { deleteExpiredEntries } from './audit-store.ts'
import type { Module } from './module.ts'

export const slackModule: Module = {
  cleanUp: [({ bot }) => deleteExpiredEntries(bot.db)],
}
