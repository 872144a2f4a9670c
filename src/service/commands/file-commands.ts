import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { MAX_STAGED_FILE_BYTES } from '../allowed-values.ts'
import { listStagedFiles, saveStagedFile } from '../stores/staged-files-store.ts'
import { findValidToken } from '../stores/tokens-store.ts'
import { defineCommand, formatTable, logOperatorAction } from './command.ts'

export const addStagedFile = defineCommand({
  name: 'file stage',
  help: 'Stage a file for a token, which can then delete it through the API. Takes the id that "token list" shows.',
  argumentNames: ['path'],
  requiredOptions: ['token'],
  async run(context, { path, token }) {
    const content = await readFile(path).catch(() => undefined)
    if (!content?.length) return { error: `${path} is empty or can't be read.` }
    if (content.length > MAX_STAGED_FILE_BYTES)
      return { error: `${path} has ${content.length} bytes, over the ${MAX_STAGED_FILE_BYTES} limit.` }
    if (!(await findValidToken(context.db, token)))
      return { error: `There is no valid token ${token}. Run "token list" to see all tokens.` }
    const name = basename(path)
    await saveStagedFile(context.db, { token_id: token, name, content, staged_at: context.now })
    const message = `Staged the file ${name}.`
    await logOperatorAction(context, { project_id: null, action: 'file.staged', message, target_id: token })
    return message
  },
})

export const showStagedFiles = defineCommand({
  name: 'file list',
  help: 'List the staged files.',
  async run({ db }) {
    const files = await listStagedFiles(db)
    const rows = files.map(({ name, size, email, label, staged_at }) => [
      name,
      `${size} bytes`,
      `${email} (${label})`,
      staged_at.toISOString(),
    ])
    return formatTable(rows, 'There are no staged files.')
  },
})
