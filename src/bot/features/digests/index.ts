import { type Module, UNINSTALLATION_REASONS } from '../../slack/module.ts'
import { digest } from './digest.ts'
import { resumeStoppedDigests, stopDigests } from './digest-store.ts'
import { digestHandler, startPlanning } from './schedule-digests.ts'
import { cancellationHandler } from './scheduled-messages.ts'

export const digestsModule: Module = {
  features: [digest],
  startWorkers: ({ bot }) => [startPlanning(bot)],
  jobs: (context) => [digestHandler(context), cancellationHandler(context)],
  onUninstalled: (db, { team_id, reason }, now) => stopDigests(db, { team_id }, reason, now),
  onReinstalled: (db, team_id, now) =>
    resumeStoppedDigests(db, { team_id, reasons: UNINSTALLATION_REASONS }, now),
}
