import { deleteExpiredEntries } from './audit-store.ts'
import { checkUninstallations } from './installation/installation.ts'
import type { Module } from './module.ts'

export const slackModule: Module = {
  async cleanUp(context) {
    await deleteExpiredEntries(context.bot.db)
    await checkUninstallations(context)
  },
}
