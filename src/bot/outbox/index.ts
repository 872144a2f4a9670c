import type { Module } from '../slack/module.ts'
import { notificationHandler } from './deliver-notification.ts'
import { startOutbox } from './start-outbox.ts'

export const outboxModule: Module = {
  startWorkers: (context) => [startOutbox(context)],
  jobs: (context) => [notificationHandler(context)],
}
