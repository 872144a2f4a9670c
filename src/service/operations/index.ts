import type { Operation } from '../operation.ts'
import { createPost, getUpnextPost, listPosts } from './posts.ts'
import { deleteWebhook, listLogs, listProjects } from './projects.ts'
import {
  createPrompt,
  getTemplate,
  listSources,
  listTemplates,
  updateSource,
} from './prompts-templates-sources.ts'
import { deleteFile, stageFile } from './staged-file.ts'
import { inviteUser, updateProjectUser } from './users.ts'

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
