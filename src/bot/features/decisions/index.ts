import type { Module } from '../../slack/feature.ts'
import { APPROVAL_JOB } from '../approvals/approval-store.ts'
import { approvalHandler } from './approval-job.ts'
import { approvePosts } from './approve-posts.ts'
import { changeApprovalRule } from './change-rule.ts'

export const decisionsModule: Module = {
  features: [changeApprovalRule, approvePosts],
  jobs: (context) => [approvalHandler(context)],
  jobLabels: { [APPROVAL_JOB]: 'Requests for approval' },
}
