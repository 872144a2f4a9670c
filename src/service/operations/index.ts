import type { Operation } from '../operation.ts'
import { createPost } from './create-post.ts'
import { createPrompt } from './create-prompt.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { inviteUser } from './invite-user.ts'
import {
  getTemplate,
  getUpnextPost,
  listLogs,
  listPosts,
  listProjects,
  listSources,
  listTemplates,
} from './read-operations.ts'
import { deleteFile, stageFile } from './staged-file.ts'
import { updateProjectUser } from './update-project-user.ts'
import { updateSource } from './update-source.ts'

/** The 14 operations of the contract in its order, and the extension `stageFile`. */
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
