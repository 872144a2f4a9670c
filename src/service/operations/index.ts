import type { Operation } from '../operation.ts'
import * as accounts from './accounts.ts'
import * as logs from './logs.ts'
import * as posts from './posts.ts'
import * as projects from './projects.ts'
import * as promptsTemplatesSources from './prompts-templates-sources.ts'
import * as results from './results.ts'
import * as stagedFile from './staged-file.ts'
import * as users from './users.ts'

/** The contract's 14 operations, and our extensions. Each export is named after its operationId. */
export const operations: Record<string, Operation> = {
  ...projects,
  ...logs,
  ...posts,
  ...users,
  ...promptsTemplatesSources,
  ...stagedFile,
  ...accounts,
  ...results,
}
