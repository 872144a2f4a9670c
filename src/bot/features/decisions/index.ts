import type { Module } from '../../slack/feature.ts'
import { APPROVAL } from '../approvals/approval-store.ts'
import { approvalHandler } from './approval-job.ts'
import { decideAboutPosts } from './approve-posts.ts'
import { changeApprovalRule } from './change-rule.ts'

export const decisionsModule: Module = {
  features: [changeApprovalRule, decideAboutPosts],
  jobs: (context) => [approvalHandler(context)],
  jobLabels: { [APPROVAL]: 'Requests for approval' },
}
