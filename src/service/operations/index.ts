import type { Operation } from '../operation.ts'
import * as posts from './posts.ts'
import * as projects from './projects.ts'
import * as promptsTemplatesSources from './prompts-templates-sources.ts'
import * as stagedFile from './staged-file.ts'
import * as users from './users.ts'

/** The 14 operations of the contract and the extension `stageFile`. Each export is named after its operationId. */
export const operations: Record<string, Operation> = {
  ...projects,
  ...posts,
  ...users,
  ...promptsTemplatesSources,
  ...stagedFile,
}
