import { findPerson } from '../stores/people-store.ts'
import { generateToken, listTokens, revokeToken, saveToken } from '../stores/tokens-store.ts'
import { defineCommand, formatTable, logOperatorAction } from './command.ts'

export const addToken = defineCommand({
  name: 'token add',
  help: 'Create an API token for a user. It is shown only once.',
  argumentNames: ['email'],
  optionalOptions: ['label'],
  async run(context, { email, label = 'operator' }) {
    const person = await findPerson(context.db, email)
    if (!person) return { error: `There is no user ${email}. Add them to a project first, with "user add".` }
    const token = generateToken(context.randomBytes)
    const { id } = await saveToken(context.db, { user_id: person.id, token, label })
    const message = `Created a token for ${person.email} (${label}).`
    await logOperatorAction(context, { project_id: null, action: 'token.created', message, target_id: id })
    return `${message} It is shown only once:\n${token}`
  },
})

export const showTokens = defineCommand({
  name: 'token list',
  help: "List the tokens' ids, users and labels. The tokens themselves aren't stored.",
  async run({ db }) {
    const tokens = await listTokens(db)
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

export const removeToken = defineCommand({
  name: 'token revoke',
  help: "Revoke a token. This takes effect immediately and can't be undone.",
  argumentNames: ['id'],
  async run(context, { id }) {
    if (!(await revokeToken(context.db, id, context.now)))
      return { error: `There is no valid token ${id}. Run "token list" to see all tokens.` }
    const message = 'Revoked a token.'
    await logOperatorAction(context, { project_id: null, action: 'token.revoked', message, target_id: id })
    return `Revoked the token ${id}.`
  },
})
