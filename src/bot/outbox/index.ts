import type { Module } from '../slack/module.ts'
import { notificationHandler } from './deliver-notification.ts'
import { sendHandler } from './send-item.ts'

export const outboxModule: Module = {
  jobs: (context) => [sendHandler(context), notificationHandler(context)],
}
