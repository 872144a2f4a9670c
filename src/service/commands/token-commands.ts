import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { CONFIGURED_TOKEN_LABEL } from '../demo.ts'
import { findPerson } from '../stores/people-store.ts'
import * as tokensStore from '../stores/tokens-store.ts'
import { defineCommand, formatTable } from './command.ts'

const noValidToken = (id: string) =>
  new Error(`There is no valid token ${id}. Run "token list" to see all tokens.`)

export const addToken = defineCommand({
  usage: 'token add <email>',
  optionalOptions: ['label'],
  help: 'Create an API token for a user. It is shown only once.',
  async run({ db, runtime: { randomBytes }, log }, { email, label = 'operator' }) {
    const person = await findPerson(db, email)
    if (!person) throw new Error(`There is no user ${email}. Add them to a project first, with "user add".`)
    if (label === CONFIGURED_TOKEN_LABEL)
      throw new Error(
        `Choose another label. ${label} is reserved for the token that Upnext creates when it starts.`,
      )
    const token = tokensStore.generateToken(randomBytes)
    const { id } = await tokensStore.saveToken(db, { user_id: person.id, token, label })
    const message = `Created a token for ${person.email} (${label}).`
    await log({ action: 'token.created', message, target_id: id })
    return `${message} It is shown only once:\n${token}`
  },
})

export const listTokens = defineCommand({
  usage: 'token list',
  help: "List the tokens' ids, users and labels. The tokens themselves aren't stored.",
  async run({ db }) {
    const tokens = await tokensStore.listTokens(db)
    const rows = tokens.map(({ id, email, label, created_at, revoked_at }) => [
      id,
      email,
      label,
      `created ${created_at.toISOString()}`,
      revoked_at ? `revoked ${revoked_at.toISOString()}` : 'valid',
    ])
    return formatTable(rows, 'There are no tokens yet.')
  },
})

export const revokeToken = defineCommand({
  usage: 'token revoke <id>',
  help: "Revoke a token. This takes effect within a second and can't be undone.",
  async run({ db, now, log }, { id }) {
    if (!(await tokensStore.revokeToken(db, id, now))) throw noValidToken(id)
    await log({ action: 'token.revoked', message: 'Revoked a token.', target_id: id })
    return `Revoked the token ${id}.`
  },
})

export const addStagedFile = defineCommand({
  usage: 'file stage <path> --token <token>',
  help: 'Stage a file for a token, which can then delete it through the API. <token> is the id that "token list" shows.',
  async run({ db, now, log }, { path, token }) {
    const content = await readFile(path).catch(() => undefined)
    if (!content?.length) throw new Error(`${path} is empty or can't be read.`)
    if (content.length > tokensStore.MAX_STAGED_FILE_BYTES)
      throw new Error(
        `${path} has ${content.length} bytes. The limit is ${tokensStore.MAX_STAGED_FILE_BYTES}.`,
      )
    if (!(await tokensStore.findValidToken(db, token))) throw noValidToken(token)
    const name = basename(path)
    await tokensStore.saveStagedFile(db, { token_id: token, name, content, staged_at: now })
    const message = `Staged the file ${name}.`
    await log({ action: 'file.staged', message, target_id: token })
    return message
  },
})

export const listStagedFiles = defineCommand({
  usage: 'file list',
  help: 'List the staged files.',
  async run({ db }) {
    const files = await tokensStore.listStagedFiles(db)
    const rows = files.map(({ name, size, email, label, staged_at }) => [
      name,
      `${size} bytes`,
      `${email} (${label})`,
      staged_at.toISOString(),
    ])
    return formatTable(rows, 'There are no staged files.')
  },
})
