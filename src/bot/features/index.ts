import { outboxModule } from '../outbox/index.ts'
import type { Module } from '../slack/feature.ts'
import { accountsModule } from './accounts/index.ts'
import { alertsModule } from './alerts/index.ts'
import { auditModule } from './audit/index.ts'
import { decisionsModule } from './decisions/index.ts'
import { digestsModule } from './digests/index.ts'
import { mediaModule } from './media/index.ts'
import { outboxListModule } from './outbox/index.ts'
import { peopleModule } from './people/index.ts'
import { openPlan } from './plans/import-plan.ts'
import { plansModule } from './plans/index.ts'
import { postsModule } from './posts/index.ts'
import { projectsModule } from './projects/index.ts'
import { slotsModule } from './slots/index.ts'
import { statusModule } from './status/index.ts'
import { uploadsModule } from './uploads/index.ts'

/** The modules in the order in which the help lists their features. `/upnext` without a verb runs the first feature. */
export const MODULES: Module[] = [
  outboxModule,
  postsModule(openPlan),
  plansModule,
  slotsModule,
  decisionsModule,
  outboxListModule,
  uploadsModule,
  digestsModule,
  alertsModule,
  peopleModule,
  projectsModule,
  accountsModule,
  auditModule,
  statusModule,
  mediaModule,
]
