import { checkAndSaveAccount } from '../publishing/check-account.ts'
import { createPublishers } from '../publishing/create-publishers.ts'
import { createPostiz, type PostizChannel } from '../publishing/postiz.ts'
import { POSTIZ_SETTINGS } from '../publishing/postiz-settings.ts'
import { createTelegram } from '../publishing/telegram.ts'
import * as store from '../stores/accounts-store.ts'
import { listPosts } from '../stores/posts-store.ts'
import type { Row } from '../stores/tables.ts'
import { PLATFORMS } from '../values.ts'
import { type CommandContext, defineCommand, formatTable, requireUrl } from './command.ts'

export const addTelegramAccount = defineCommand({
  usage: 'account add telegram --project <project> --chat <chat>',
  optionalOptions: ['replace'],
  secret: 'token of the Telegram bot',
  help: "Publish a project's posts in a Telegram channel or group, such as @acme. Asks for the token of a bot that may post there.",
  async run(context, { chat, replace, secret = '' }) {
    const { runtime, publishing, project } = context
    const telegram = createTelegram({ runtime, apiUrl: publishing.telegramApiUrl })
    const target = /^(?:@|-?\d+$)/.test(chat) ? chat : `@${chat.replace(/^(?:https:\/\/)?t\.me\//, '')}`
    const outcome = await telegram.check({
      platform: 'TELEGRAM',
      name: target,
      target,
      credentials: secret,
      settings: {},
    })
    if (outcome.state === 'problem') throw new Error(outcome.problem)
    if (outcome.state === 'unreachable') throw new Error(`${outcome.error}. Try again later.`)
    return connectNewAccount(context, {
      project_id: project.id,
      platform: 'TELEGRAM',
      publisher: 'TELEGRAM',
      name: outcome.name,
      target: outcome.target,
      credentials: secret,
      settings: '{}',
      replace,
    })
  },
})

const SETTING_NAMES = [
  ...new Set(Object.values(POSTIZ_SETTINGS).flatMap(({ required }) => Object.keys(required ?? {}))),
]

export const addPostizAccount = defineCommand({
  usage: 'account add postiz --project <project>',
  optionalOptions: ['channel', 'replace', ...SETTING_NAMES],
  help: "Publish a project's posts on a Postiz channel. Without --channel, lists the channels. Needs POSTIZ_URL and POSTIZ_API_KEY.",
  async run(context, { channel, replace, ...options }) {
    const { runtime, publishing, project } = context
    if (!publishing.postiz)
      throw new Error('Set POSTIZ_URL and POSTIZ_API_KEY to the address and a key of a Postiz instance.')
    const channels = await createPostiz({ runtime, ...publishing.postiz }).listChannels()
    if (!Array.isArray(channels)) throw new Error(channels)
    if (!channel) return formatChannels(channels)
    const chosen = channels.find(({ id }) => id === channel)
    if (!chosen)
      throw new Error(
        `Postiz has no channel ${channel} that Upnext can use. Leave out --channel to see the usable channels.`,
      )
    const { id: target, name, platform } = chosen
    const settings = readSettings(chosen, options)
    return connectNewAccount(context, {
      project_id: project.id,
      platform,
      publisher: 'POSTIZ',
      name,
      target,
      credentials: null,
      settings: JSON.stringify(settings),
      replace,
    })
  },
})

export const addWebhookAccount = defineCommand({
  usage: 'account add webhook --project <project> --platform <platform> --url <url>',
  optionalOptions: ['replace'],
  help: "Send a project's posts for a platform to your own program, which publishes them and reports the results with Confirm Publication. Prints the signing secret, which is shown only once.",
  async run(context, { platform: typed, url, replace }) {
    const { runtime, publishing, project } = context
    const platform = PLATFORMS.find((platform) => platform === typed.toUpperCase())
    if (!platform) throw new Error(`"${typed}" isn't a platform. Use ${PLATFORMS.join(', ')}.`)
    requireUrl(url)
    const credentials = `whsec_${runtime.randomBytes(32).toString('base64')}`
    const account = {
      project_id: project.id,
      platform,
      publisher: 'WEBHOOK' as const,
      name: new URL(url).host,
      target: url,
      credentials,
    }
    const outcome = await createPublishers(publishing, runtime).WEBHOOK?.check({ ...account, settings: {} })
    if (outcome?.state === 'problem') throw new Error(outcome.problem)
    const message = await connectNewAccount(context, { ...account, settings: '{}', replace })
    return `${message} Signing secret (shown only once):\n${credentials}`
  },
})

function formatChannels(channels: PostizChannel[]): string {
  const rows = channels.map(({ id, platform, name }) => [id, platform, name])
  return formatTable(rows, 'Postiz has no channels that Upnext can use. Connect or enable one there first.')
}

function readSettings({ platform }: PostizChannel, options: Record<string, string | undefined>) {
  const { required = {} } = POSTIZ_SETTINGS[platform]
  for (const [name, { example, oneOf }] of Object.entries(required)) {
    const value = options[name]
    if (!value) throw new Error(`${platform} also needs --${name}, such as ${example}.`)
    if (oneOf && !oneOf.includes(value)) throw new Error(`--${name} must be one of: ${oneOf.join(', ')}.`)
  }
  return Object.fromEntries(Object.keys(required).map((name) => [name, options[name]]))
}

type NewAccount = Parameters<typeof store.saveAccount>[1]

/** Connects an account that was just checked. An account that the project already has keeps its id. */
async function connectNewAccount(
  { db, now, log }: CommandContext,
  { replace, ...newAccount }: Omit<NewAccount, 'checked_at'> & { replace: string | undefined },
): Promise<string> {
  const { project_id, platform } = newAccount
  const account = await store.saveAccount(db, { ...newAccount, problem: null, checked_at: now })
  const previous = await store.findConnectedAccount(db, { project_id, platform })
  if (previous && previous.id !== account.id && previous.id !== replace)
    throw new Error(
      `Posts for ${platform} are published on ${previous.name}. To replace this account, add: --replace ${previous.id}`,
    )
  await store.connectAccount(db, account)
  const message = `Posts for ${platform} are now published on ${account.name}.`
  await log({ action: 'account.connected', message, target_id: account.id })
  return message
}

export const listAccounts = defineCommand({
  usage: 'account list --project <project>',
  help: "List a project's accounts.",
  async run({ db, project }) {
    const rows = (await store.listAccounts(db, project.id)).map((account) => [
      account.id,
      account.platform,
      account.publisher,
      account.name,
      account.is_connected ? (account.problem ?? 'connected') : 'not connected',
    ])
    return formatTable(
      rows,
      `${project.name} has no accounts yet. Use "account add telegram", "account add postiz" or "account add webhook".`,
    )
  },
})

export const checkAccount = defineCommand({
  usage: 'account check <id> --project <project>',
  help: 'Check whether an account can publish.',
  async run({ db, now, runtime, publishing, project }, { id }) {
    const account = await requireAccount(db, id, project)
    const publishers = createPublishers(publishing, runtime)
    const { name, problem } = await checkAndSaveAccount(db, account, { publishers, now })
    return problem ? { problem } : `${name} can publish.`
  },
})

export const removeAccount = defineCommand({
  usage: 'account remove <id> --project <project>',
  help: "Delete an account and its credentials. Upnext stops publishing the project's posts on this account.",
  async run({ db, log, project }, { id }) {
    const account = await requireAccount(db, id, project)
    const { name, platform, is_connected } = account
    await store.deleteAccount(db, account)
    const message = `Removed the account ${name} (${platform}).`
    await log({ action: 'account.removed', message, target_id: account.id })
    const scheduled = { project_id: project.id, platforms: [platform], status: ['SCHEDULED' as const] }
    const { total, hasMore } = await listPosts(db, { ...scheduled, skip: 0, limit: 1 })
    if (!is_connected || !total) return message
    const posts = total === 1 ? '1 scheduled post' : `${total}${hasMore ? '+' : ''} scheduled posts`
    return `${message} ${posts} won't be published on ${platform} unless you connect another account. Upnext doesn't notify their authors.`
  },
})

async function requireAccount(
  db: CommandContext['db'],
  id: string,
  project: Row<'project'>,
): Promise<Row<'account'>> {
  const account = (await store.listAccounts(db, project.id)).find((account) => account.id === id)
  if (!account)
    throw new Error(`${project.name} has no account ${id}. Run "account list" to see all accounts.`)
  return account
}
