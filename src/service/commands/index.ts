import type { Command } from './command.ts'
import { showFiles, stageFile } from './file.ts'
import { showLog } from './log.ts'
import { addProject, showProjects } from './project.ts'
import { addSource, showSources } from './source.ts'
import { addTemplate, showTemplates } from './template.ts'
import { addToken, endToken, showTokens } from './token.ts'
import { addUser, showUsers } from './user.ts'
import { setWebhook, showWebhook } from './webhook.ts'

export const commands: Command[] = [
  addProject,
  showProjects,
  addUser,
  showUsers,
  addToken,
  showTokens,
  endToken,
  addTemplate,
  showTemplates,
  addSource,
  showSources,
  setWebhook,
  showWebhook,
  stageFile,
  showFiles,
  showLog,
]
