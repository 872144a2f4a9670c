import type { Feature } from '../../slack/feature.ts'
import type { Module } from '../../slack/module.ts'
import { defineAuditList } from './list-audit.ts'
import { listLogs } from './list-logs.ts'

/** The trail is filtered by the verbs of all features. */
export const auditModule = (listFeatures: () => Feature[]): Module => ({
  features: [listLogs, defineAuditList(listFeatures)],
})
