import type { Feature } from '../feature.ts'
import type { Form } from '../form/form.ts'
import { cancelPost } from './cancel-post.ts'
import { chooseZone } from './choose-zone.ts'
import { createPrompt } from './create-prompt.ts'
import { deleteStagedFile, deleteWebhook } from './delete-records.ts'
import { digest } from './digest.ts'
import { editPost } from './edit-post.ts'
import { holdPosts } from './hold-posts.ts'
import { inviteUser } from './invite-user.ts'
import { defineAuditList } from './list-audit.ts'
import { listLogs } from './list-logs.ts'
import { listPosts } from './list-posts.ts'
import { listAllProjects } from './list-projects.ts'
import { listTemplates } from './list-templates.ts'
import { media } from './media.ts'
import { outbox } from './outbox.ts'
import { previewPost } from './preview-post.ts'
import { reschedulePost } from './reschedule-post.ts'
import { schedulePost } from './schedule-post.ts'
import { sharePost } from './share-post.ts'
import { showMonth, showWeek } from './show-calendar.ts'
import { upNext } from './up-next.ts'
import { updateSource } from './update-source.ts'
import { updateUser } from './update-user.ts'
import { useProject } from './use-project.ts'

export const forms: Form[] = [
  schedulePost,
  editPost,
  reschedulePost,
  sharePost,
  inviteUser,
  updateUser,
  createPrompt,
  updateSource,
  digest,
]

/** In the order of the help. `/upnext` without a verb runs the first one. */
export const features: Feature[] = [
  upNext,
  schedulePost,
  showWeek,
  showMonth,
  listPosts,
  editPost,
  reschedulePost,
  cancelPost,
  previewPost,
  sharePost,
  listTemplates,
  createPrompt,
  inviteUser,
  updateUser,
  updateSource,
  listLogs,
  defineAuditList(() => features),
  outbox,
  media,
  digest,
  listAllProjects,
  useProject,
  holdPosts,
  chooseZone,
  deleteWebhook,
  deleteStagedFile,
]
