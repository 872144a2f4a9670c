import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { LIMITS } from '../limits.ts'
import { listStagedFiles, saveStagedFile } from '../storage/staged-files.ts'
import { findValidToken } from '../storage/tokens.ts'
import { command } from './command.ts'
import { noteOperator, table } from './operator.ts'

export const stageFile = command({
  words: 'file stage',
  help: 'Stages a file for a token, named by the id that "token list" shows, in place of the one staged before.',
  args: ['path'],
  needs: ['token'],
  async run(context, { path, token }) {
    const content = await readFile(path).catch(() => undefined)
    if (!content?.length) return { fault: `${path} cannot be read, or is empty.` }
    if (content.length > LIMITS.stagedFile)
      return { fault: `${path} has ${content.length} bytes; ${LIMITS.stagedFile} are the most.` }
    if (!(await findValidToken(context.db, token)))
      return { fault: `There is no valid token ${token}. "token list" shows those there are.` }
    const name = basename(path)
    await saveStagedFile(context.db, { token_id: token, name, content, staged_at: context.now })
    const message = `Staged the file ${name}.`
    await noteOperator(context, { project_id: null, action: 'file.staged', message, target_id: token })
    return message
  },
})

export const showFiles = command({
  words: 'file list',
  help: 'Shows the staged files.',
  async run({ db }) {
    const files = await listStagedFiles(db)
    const rows = files.map(({ name, size, email, label, staged_at }) => [
      name,
      `${size} bytes`,
      `${email} (${label})`,
      staged_at.toISOString(),
    ])
    return table(rows, 'No file is staged.')
  },
})
