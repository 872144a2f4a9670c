import type { Operation } from '../operation.ts'
import { createPost } from './create-post.ts'
import { createPrompt } from './create-prompt.ts'
import { deleteFile } from './delete-file.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { getTemplate } from './get-template.ts'
import { getUpnextPost } from './get-upnext-post.ts'
import { inviteUser } from './invite-user.ts'
import { listLogs } from './list-logs.ts'
import { listPosts } from './list-posts.ts'
import { listProjects } from './list-projects.ts'
import { listSources } from './list-sources.ts'
import { listTemplates } from './list-templates.ts'
import { stageFile } from './stage-file.ts'
import { updateProjectUser } from './update-project-user.ts'
import { updateSource } from './update-source.ts'

/** The contract's fourteen, in its order, and our own. */
export const operations: Operation[] = [
  listProjects,
  listPosts,
  createPost,
  inviteUser,
  updateProjectUser,
  createPrompt,
  listTemplates,
  getTemplate,
  listSources,
  updateSource,
  listLogs,
  getUpnextPost,
  deleteWebhook,
  deleteFile,
  stageFile,
]
