import type { Feature } from '../../slack/feature.ts'
import type { Module } from '../../slack/module.ts'
import { defineAuditList } from './list-audit.ts'
import { listLogs } from './list-logs.ts'

/** The audit list needs all features, because users can filter the trail by the features' verbs. */
export const auditModule = (listFeatures: () => Feature[]): Module => ({
  heading: 'Activity and status',
  features: [listLogs, defineAuditList(listFeatures)],
})
