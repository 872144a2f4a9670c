import { findPerson } from '../storage/people.ts'
import { listTokens, mintToken, revokeToken, saveToken } from '../storage/tokens.ts'
import { command } from './command.ts'
import { noteOperator, table } from './operator.ts'

export const addToken = command({
  words: 'token add',
  help: 'Makes a token for a person, and shows it this once.',
  args: ['email'],
  takes: ['label'],
  async run(context, input) {
    const person = await findPerson(context.db, input.email)
    if (!person)
      return { fault: `There is no user ${input.email}. Add them to a project first, with "user add".` }
    const token = mintToken(context.randomBytes)
    const label = input.label ?? 'operator'
    const saved = await saveToken(context.db, { user_id: person.id, token, label })
    const message = `Made a token for ${person.email} (${label}).`
    await noteOperator(context, { project_id: null, action: 'token.created', message, target_id: saved.id })
    return `${message} It is not shown again:\n${token}`
  },
})

export const showTokens = command({
  words: 'token list',
  help: 'Shows whose tokens there are, not the tokens.',
  async run({ db }) {
    const tokens = await listTokens(db)
    const rows = tokens.map(({ id, email, label, created_at, revoked_at }) => [
      id,
      email,
      label,
      `made ${created_at.toISOString()}`,
      revoked_at ? `revoked ${revoked_at.toISOString()}` : 'valid',
    ])
    return table(rows, 'There is no token yet.')
  },
})

export const endToken = command({
  words: 'token revoke',
  help: 'Makes a token useless, at once and for good.',
  args: ['id'],
  async run(context, { id }) {
    if (!(await revokeToken(context.db, id, context.now)))
      return { fault: `There is no valid token ${id}. "token list" shows those there are.` }
    await noteOperator(context, {
      project_id: null,
      action: 'token.revoked',
      message: 'Revoked a token.',
      target_id: id,
    })
    return `Revoked the token ${id}.`
  },
})
