import type { WebClient } from '@slack/web-api'
import { type Poller, startPoller } from '../poller.ts'
import { deleteExpiredEntries } from './audit/audit-store.ts'
import type { Bot } from './bot.ts'
import { deleteRuns } from './digests/digest-run-store.ts'
import { deleteContents } from './digests/digest-store.ts'
import { deleteOldForms } from './form/open-form-store.ts'
import { checkUninstallations } from './installation/installation.ts'
import { deleteUnusedMedia } from './media/delete-unused-media.ts'
import { deleteOldNotifications } from './notifications/notification-store.ts'
import { deleteItems, eraseInput } from './outbox/outbox-store.ts'
import { deleteUserSettings } from './people/user-settings-store.ts'
import { forgetPictures } from './pictures/picture-store.ts'
import { deleteOldPostMessages } from './posts/post-message-store.ts'
import { deleteKnownRecords, eraseEmails, eraseLinkAuthors } from './projects/projects-store.ts'
import { deleteSignatures } from './received-requests-store.ts'

const CHECK_INTERVAL_MS = 1000
const CLEANUP_INTERVAL_MS = 60 * 60_000

const DAY_MS = 24 * 60 * 60_000
const PERSONAL_DATA_TTL_MS = 30 * DAY_MS
/** Bolt refuses requests that are older than five minutes. */
const SIGNATURE_TTL_MS = 10 * 60_000
const RECORD_TTL_MS = 365 * DAY_MS
const DIGEST_CONTENT_TTL_MS = 30 * DAY_MS
const PICTURE_TTL_MS = 30 * DAY_MS
/** Longer than the pause between two monthly digests. */
const DIGEST_RUN_TTL_MS = 90 * DAY_MS

export function startCleanup(bot: Bot, client: WebClient): Poller {
  const { db, log, runtime } = bot
  let cleanedAt = 0
  return startPoller({
    log,
    runtime,
    name: 'Cleaning up',
    intervalMs: CHECK_INTERVAL_MS,
    task: async () => {
      const now = runtime.now().getTime()
      if (now - cleanedAt < CLEANUP_INTERVAL_MS) return false
      cleanedAt = now
      const steps = [
        () => eraseInput(db, new Date(now - PERSONAL_DATA_TTL_MS)),
        () => deleteItems(db, new Date(now - RECORD_TTL_MS)),
        () => eraseEmails(db, new Date(now - PERSONAL_DATA_TTL_MS)),
        () => deleteOldNotifications(db, new Date(now - PERSONAL_DATA_TTL_MS)),
        () => deleteKnownRecords(db, new Date(now - RECORD_TTL_MS)),
        () => deleteUserSettings(db, new Date(now - RECORD_TTL_MS)),
        () => eraseLinkAuthors(db, new Date(now - RECORD_TTL_MS)),
        () => deleteContents(db, new Date(now - DIGEST_CONTENT_TTL_MS)),
        () => deleteOldPostMessages(db, new Date(now - RECORD_TTL_MS)),
        () => deleteOldForms(db, new Date(now)),
        () => forgetPictures(db, new Date(now - PICTURE_TTL_MS)),
        () => deleteUnusedMedia(bot, client),
        () => deleteSignatures(db, new Date(now - SIGNATURE_TTL_MS)),
        () => deleteExpiredEntries(db),
        () => checkUninstallations(bot, client),
        () => deleteRuns(db, new Date(now - DIGEST_RUN_TTL_MS)),
      ]
      for (const step of steps)
        await step().catch((err: unknown) => log.error({ err }, 'A step of the cleanup failed'))
      return false
    },
  })
}
