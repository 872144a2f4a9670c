import type { Module } from '../../slack/feature.ts'
import { digestCommand } from './digest.ts'
import { DIGEST } from './digest-jobs.ts'
import { resumeStoppedDigests, stopDigests } from './digest-store.ts'
import { listAllDigests } from './list-all-digests.ts'
import { digestHandler } from './schedule-digests.ts'

export const digestsModule: Module = {
  heading: 'Channels',
  features: [digestCommand, listAllDigests],
  jobs: (context) => [digestHandler(context)],
  jobLabels: { [DIGEST]: 'Digests' },
  onUninstalled: (db, { team_id, reason }, now) => stopDigests(db, { team_id }, reason, now),
  onReinstalled: resumeStoppedDigests,
}
