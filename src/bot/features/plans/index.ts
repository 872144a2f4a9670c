import type { Module } from '../../slack/feature.ts'
import { exportPlan } from './export-plan.ts'
import { importPlan } from './import-plan.ts'
import { planHandler } from './plan-job.ts'
import { listPlannedPosts, PLAN_JOB } from './plan-store.ts'
import { reviewPlan } from './review-plan.ts'

export const plansModule: Module = {
  features: [importPlan, reviewPlan, exportPlan],
  jobs: (context) => [planHandler(context)],
  jobLabels: { [PLAN_JOB]: 'Plans' },
  listPlannedPosts,
}
