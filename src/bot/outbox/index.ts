import type { Module } from '../slack/module.ts'
import { startNotifications } from './start-notifications.ts'
import { startOutbox } from './start-outbox.ts'

export const outboxModule: Module = {
  startWorkers: (context) => [startOutbox(context), startNotifications(context)],
}
