import type { Module } from '../../slack/feature.ts'
import { listAudit } from './list-audit.ts'
import { listLogs } from './list-logs.ts'

export const auditModule: Module = { heading: 'Activity and status', features: [listLogs, listAudit] }
