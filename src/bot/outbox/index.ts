import type { Module } from '../slack/feature.ts'
import { NOTIFICATION } from '../slack/tables.ts'
import { notificationHandler } from './deliver-notification.ts'
import { SEND } from './item-jobs.ts'
import { sendHandler } from './send-item.ts'

export const outboxModule: Module = {
  jobs: (context) => [sendHandler(context), notificationHandler(context)],
  jobLabels: { [SEND]: 'Submissions', [NOTIFICATION]: 'Notifications' },
}
