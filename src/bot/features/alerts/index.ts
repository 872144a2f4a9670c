import type { Module } from '../../slack/feature.ts'
import { PROJECT_CHECK } from '../posts/messages/queue-project-check.ts'
import { changeAlerts } from './change-alerts.ts'
import { projectCheckHandler } from './check-job.ts'

export const alertsModule: Module = {
  features: [changeAlerts],
  jobs: (context) => [projectCheckHandler(context)],
  jobLabels: { [PROJECT_CHECK]: 'Alerts' },
}
