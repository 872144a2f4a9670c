import type { Module } from '../../slack/module.ts'
import { approvalHandler } from './approval-job.ts'
import { changeApprovalRule } from './change-rule.ts'
import { decideAboutPosts } from './decide.ts'

export const decisionsModule: Module = {
  features: [changeApprovalRule, decideAboutPosts],
  jobs: (context) => [approvalHandler(context)],
}
