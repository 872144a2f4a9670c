import { describe, expect, it } from 'vitest'
import { parseCommand, runCommand } from '../../src/service/commands/run-command.ts'
import type { PublisherSettings } from '../../src/service/publishing/create-publishers.ts'
import { captureLog } from '../support/capture-log.ts'
import { waitUntil } from '../support/clock.ts'
import type { Fault } from '../support/fake-network.ts'
import { runProgram } from '../support/run-program.ts'
import { unreachableUrl } from '../support/servers.ts'
import { TEST_SECRET } from '../support/test-secret.ts'
import { BOT_TOKEN, CHAT, createChat } from './publishing-networks.ts'
import { type PublishingProject, SECOND_MS, startPublishingProject } from './publishing-project.ts'

const PROXY_PAGE = { contentType: 'text/html', body: '<h1>Not Telegram</h1>' }

type CommandOptions = { secret?: string; publishing?: Partial<PublisherSettings> }

/** Runs a command in this process, with a secret from standard input. */
async function runOperatorCommand(
  { service, clock, telegram, postiz }: PublishingProject,
  args: string[],
  { secret = BOT_TOKEN, publishing }: CommandOptions = {},
): Promise<{ output: string; error: string }> {
  const parsed = parseCommand(args)
  const { command, input } = parsed
  const run = runCommand(
    { command, input: command.secret ? { ...input, secret } : input },
    {
      db: service.db,
      now: clock.now(),
      runtime: clock.runtime,
      publishing: {
        telegramApiUrl: telegram.url,
        postiz: { url: postiz.url, apiKey: postiz.key },
        ownMediaPrefixes: [],
        requireAccounts: false,
        allowPrivateWebhooks: false,
        ...publishing,
      },
    },
  )
  const result = await run.then(
    (output) => ({ output, error: '' }),
    (error: Error) => ({ output: '', error: error.message }),
  )
  expect(JSON.stringify(result)).not.toContain(secret)
  return result
}

const addTelegram = (chat = '@acme', ...more: string[]) => [
  'account',
  'add',
  'telegram',
  '--project',
  'Acme',
  `--chat=${chat}`,
  ...more,
]
const addPostiz = (...more: string[]) => ['account', 'add', 'postiz', '--project', 'Acme', ...more]

const startEmptyProject = () => startPublishingProject({ hasTelegram: false })

describe('the command "account add telegram"', () => {
  it.each(['@acme', 'acme', '@ACME', 't.me/acme', 'https://t.me/acme', String(CHAT)])(
    'connects the chat %s',
    async (chat) => {
      const project = await startEmptyProject()
      const { output, error } = await runOperatorCommand(project, addTelegram(chat))
      expect([output, error]).toEqual(['Posts for TELEGRAM are now published on Acme.', ''])
      expect(await project.listAccounts()).toEqual([
        {
          Id: expect.any(String),
          ProjectId: project.project_id,
          CreatedAt: expect.any(String),
          Platform: 'TELEGRAM',
          Name: 'Acme',
          Publisher: 'TELEGRAM',
          State: 'CONNECTED',
          Problem: null,
          CheckedAt: project.clock.now().toISOString(),
        },
      ])
      await project.publish({ Content: 'Launch day', Platforms: ['TELEGRAM'] })
      expect(project.telegram.sent).toMatchObject([{ chat: CHAT, text: 'Launch day' }])
    },
  )

  it('connects a group that the bot is a member of', async () => {
    const project = await startEmptyProject()
    project.telegram.addChat({ id: -42, type: 'group', title: 'Team', botStatus: 'member' })
    const { output } = await runOperatorCommand(project, addTelegram('-42'))
    expect(output).toBe('Posts for TELEGRAM are now published on Team.')
  })

  it('connects a group whose members may not write only if the bot is an administrator', async () => {
    const project = await startEmptyProject()
    const group = { id: -42, type: 'group', title: 'Team', mayMembersPost: false } as const
    project.telegram.addChat({ ...group, botStatus: 'member' })
    expect((await runOperatorCommand(project, addTelegram('-42'))).error).toContain("can't post in Team")
    project.telegram.addChat({ ...group, botStatus: 'administrator' })
    expect((await runOperatorCommand(project, addTelegram('-42'))).error).toBe('')
  })

  it.each([
    ['a wrong token', '999:wrong-token', '@acme', {}, "Telegram rejected the bot's token"],
    ['a malformed token', 'not a token', '@acme', {}, "Telegram rejected the bot's token"],
    ['a token with a path', '123456:x/../y', '@acme', {}, "Telegram rejected the bot's token"],
    ['an unknown chat', BOT_TOKEN, '@nobody', {}, "@acme_bot isn't in @nobody, or that chat doesn't exist"],
    ['a bot that left', BOT_TOKEN, '@acme', { botStatus: 'left' }, "@acme_bot can't post in Acme"],
    ['a bot that was banned', BOT_TOKEN, '@acme', { botStatus: 'kicked' }, 'Add the bot to it'],
    [
      'a bot that is no administrator',
      BOT_TOKEN,
      '@acme',
      { botStatus: 'member' },
      'Make it an administrator',
    ],
    ['a bot that may not post', BOT_TOKEN, '@acme', { canPost: false }, "@acme_bot can't post in Acme"],
  ] as const)('explains %s, and connects nothing', async (_case, secret, chat, change, message) => {
    const project = await startEmptyProject()
    project.telegram.addChat(createChat(change))
    const { error } = await runOperatorCommand(project, addTelegram(chat), { secret })
    expect(error).toContain(message)
    expect(await project.listAccounts()).toEqual([])
  })

  it.each(['not a token', '123456:x/../y', `../${BOT_TOKEN}`])(
    'sends no request with the malformed token "%s"',
    async (secret) => {
      const project = await startEmptyProject()
      await runOperatorCommand(project, addTelegram(), { secret })
      expect(project.telegram.requests).toEqual([])
    },
  )

  it('asks to try again later if Telegram cannot be reached', async () => {
    const project = await startEmptyProject()
    const publishing = { telegramApiUrl: await unreachableUrl() }
    const { error } = await runOperatorCommand(project, addTelegram(), { publishing })
    expect(error).toBe("Telegram couldn't be reached. Try again later.")
  })

  it('asks to try again later if a proxy responds', async () => {
    const project = await startEmptyProject()
    project.telegram.planOthers(() => ({ kind: 'status', status: 403, ...PROXY_PAGE }))
    const { error } = await runOperatorCommand(project, addTelegram())
    expect(error).toBe('Telegram responded with 403. Try again later.')
  })

  it.each(['getMe', 'getChat', 'getChatMember'])(
    'asks to try again later if Telegram limits the requests (%s)',
    async (limited) => {
      const project = await startEmptyProject()
      project.telegram.planOthers((method) =>
        method === limited ? { kind: 'status', status: 429, retryAfter: 7 } : undefined,
      )
      const { error } = await runOperatorCommand(project, addTelegram())
      expect(error).toContain('Try again later')
    },
  )

  it('replaces an account only with --replace', async () => {
    const project = await startPublishingProject()
    const { Id } = await project.getAccount()
    project.telegram.addChat(createChat({ id: -1005, title: 'Acme News', username: 'news' }))
    const refused = await runOperatorCommand(project, addTelegram('@news'))
    expect(refused.error).toBe(
      `Posts for TELEGRAM are published on Acme. To replace this account, add: --replace ${Id}`,
    )
    expect((await runOperatorCommand(project, addTelegram('@news', '--replace', 'x'))).error).toContain(Id)
    expect(await project.listAccounts()).toHaveLength(1)

    const { output } = await runOperatorCommand(project, addTelegram('@news', '--replace', Id))
    expect(output).toBe('Posts for TELEGRAM are now published on Acme News.')
    const states = (await project.listAccounts()).map(({ Name, State }: Record<string, string>) => [
      Name,
      State,
    ])
    expect(states).toEqual([
      ['Acme', 'AVAILABLE'],
      ['Acme News', 'CONNECTED'],
    ])
    await project.publish({ Content: 'Launch day' })
    expect(project.telegram.sent).toMatchObject([{ chat: -1005 }])
  })

  it('replaces the token of an account that needs attention', async () => {
    const project = await startPublishingProject()
    project.telegram.plan(() => ({ kind: 'status', status: 401, description: 'Unauthorized' }))
    await project.publish({ Content: 'Lost' })
    await waitUntil(async () => (await project.getAccount()).State === 'NEEDS_ATTENTION')
    const { Id } = await project.getAccount()
    const secret = '123456:a-new-token-of-the-bot'
    project.telegram.addBot({ token: secret, username: 'acme_bot' })
    await runOperatorCommand(project, addTelegram(), { secret })
    expect(await project.listAccounts()).toMatchObject([{ Id, State: 'CONNECTED', Problem: null }])
    const stored = await project.service.db.selectFrom('account').select('credentials').execute()
    expect(stored).toEqual([{ credentials: secret }])
  })
})

describe('the program', () => {
  const runService = async ({ service, telegram }: PublishingProject, args: string[], input?: string) => {
    const env = {
      DATABASE_URL: service.databaseUrl,
      SECRET_KEY: TEST_SECRET,
      TELEGRAM_API_URL: telegram.url,
      LOG_LEVEL: 'trace',
    }
    const program = runProgram('dist/service/command-line.js', args, env, input)
    return { exitCode: await program.exitCode, output: program.output(), errors: program.errors() }
  }

  it('reads the token of the bot from standard input', async () => {
    const project = await startEmptyProject()
    const result = await runService(project, addTelegram(), `\n ${BOT_TOKEN} \nmore\n`)
    expect(result).toEqual({
      exitCode: 0,
      output: 'Posts for TELEGRAM are now published on Acme.\n',
      errors: '',
    })
    const stored = await project.service.db.selectFrom('account').select('credentials').execute()
    expect(stored).toEqual([{ credentials: BOT_TOKEN }])
  })

  it.each(['', '\n  \n'])('explains that the token is missing from standard input %j', async (input) => {
    const project = await startEmptyProject()
    const result = await runService(project, addTelegram(), input)
    expect(result).toEqual({
      exitCode: 1,
      output: '',
      errors: expect.stringMatching(
        /^No token .* was entered\. Enter it, or send it on standard input\.\n$/i,
      ),
    })
  })
})

describe('the command "account add postiz"', () => {
  it('lists the channels that can be connected', async () => {
    const project = await startEmptyProject()
    expect((await runOperatorCommand(project, addPostiz())).output).toContain(
      'Postiz has no channels that Upnext can use',
    )
    project.postiz.addChannel({ identifier: 'linkedin-page', name: 'Acme\nInc' })
    project.postiz.addChannel({ identifier: 'x', disabled: true })
    project.postiz.addChannel({ identifier: 'mastodon' })
    project.postiz.addChannel({ identifier: 'tiktok-business' })
    const { output } = await runOperatorCommand(project, addPostiz())
    expect(output.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['channel-1', 'LINKEDIN', 'Acme Inc'],
      ['channel-4', 'TIKTOK', 'Our tiktok-business'],
    ])
  })

  it('connects a channel', async () => {
    const project = await startEmptyProject()
    const { id } = project.postiz.addChannel({ identifier: 'threads' })
    const { output } = await runOperatorCommand(project, addPostiz('--channel', id))
    expect(output).toBe('Posts for THREADS are now published on Our threads.')
    expect(await project.listAccounts()).toMatchObject([
      { Platform: 'THREADS', Publisher: 'POSTIZ', Name: 'Our threads', State: 'CONNECTED' },
    ])
  })

  it.each([
    ['reddit', ['--subreddit', '/r/acme'], '--subreddit, such as /r/acme', { subreddit: '/r/acme' }],
    ['pinterest', ['--board', '7'], '--board, such as the id of a board', { board: '7' }],
    ['youtube', ['--visibility', 'public'], '--visibility, such as public', { visibility: 'public' }],
    ['tiktok', ['--privacy', 'SELF_ONLY'], '--privacy, such as PUBLIC_TO_EVERYONE', { privacy: 'SELF_ONLY' }],
  ])('asks for the settings that %s needs for each post', async (identifier, options, message, settings) => {
    const project = await startEmptyProject()
    const { id } = project.postiz.addChannel({ identifier })
    const { error } = await runOperatorCommand(project, addPostiz('--channel', id))
    expect(error).toContain(`${identifier.toUpperCase()} also needs ${message}`)
    expect((await runOperatorCommand(project, addPostiz('--channel', id, ...options))).error).toBe('')
    const stored = await project.service.db.selectFrom('account').select('settings').execute()
    expect(stored).toEqual([{ settings }])
  })

  it.each([
    ['youtube', '--visibility', 'everyone'],
    ['tiktok', '--privacy', 'friends'],
  ])('refuses a value that %s does not have for %s', async (identifier, option, value) => {
    const project = await startEmptyProject()
    const { id } = project.postiz.addChannel({ identifier })
    const { error } = await runOperatorCommand(project, addPostiz('--channel', id, option, value))
    expect(error).toContain(option)
  })

  it('replaces the bot of a platform only with --replace', async () => {
    const project = await startPublishingProject()
    const { Id } = await project.getAccount()
    const { id } = project.postiz.addChannel({ identifier: 'telegram' })
    const refused = await runOperatorCommand(project, addPostiz('--channel', id))
    expect(refused.error).toContain(`--replace ${Id}`)
    await runOperatorCommand(project, addPostiz('--channel', id, '--replace', Id))
    await project.schedule({ Content: 'Launch day' })
    await waitUntil(() => project.postiz.posts.length === 1)
    expect(project.telegram.requests).toEqual([])
  })

  it.each([
    ['an unknown channel', {}, ['--channel', 'x'], 'Postiz has no channel x'],
    ['missing settings', { postiz: undefined }, [], 'Set POSTIZ_URL and POSTIZ_API_KEY'],
  ])('explains %s', async (_case, publishing, options, message) => {
    const project = await startEmptyProject()
    const { error } = await runOperatorCommand(project, addPostiz(...options), { publishing })
    expect(error).toContain(message)
  })

  it.each([
    ['a wrong key', { kind: 'status', status: 401, body: '{"msg":"Invalid API key"}' }, 'set POSTIZ_API_KEY'],
    ['an outage', { kind: 'status', status: 503 }, 'Internal server error'],
    [
      'a page instead of the API',
      { kind: 'status', status: 200, ...PROXY_PAGE },
      'Postiz responded with 200',
    ],
  ] as [string, Fault, string][])('explains %s', async (_case, fault, message) => {
    const project = await startEmptyProject()
    project.postiz.planOthers(() => fault)
    expect((await runOperatorCommand(project, addPostiz())).error).toContain(message)
  })
})

describe('the other commands for accounts', () => {
  const onAccount = (action: string, id: string) => ['account', action, id, '--project', 'Acme']

  it('lists the accounts with their problems', async () => {
    const project = await startEmptyProject()
    const list = ['account', 'list', '--project', 'Acme']
    expect((await runOperatorCommand(project, list)).output).toContain('Acme has no accounts yet')
    await project.connectTelegram()
    const { Id } = await project.getAccount()
    const columns = async () => (await runOperatorCommand(project, list)).output.split(/ {2,}/)
    expect(await columns()).toEqual([Id, 'TELEGRAM', 'TELEGRAM', 'Acme', 'connected'])
    project.telegram.addChat(createChat({ botStatus: 'member' }))
    await runOperatorCommand(project, onAccount('check', Id))
    expect((await columns()).at(-1)).toContain('Make it an administrator')
  })

  it('checks an account, and stores its problem until it is solved', async () => {
    const project = await startPublishingProject()
    const { Id } = await project.getAccount()
    const check = (options?: CommandOptions) => runOperatorCommand(project, onAccount('check', Id), options)
    expect(await check()).toEqual({ output: 'Acme can publish.', error: '' })
    project.telegram.addChat(createChat({ canPost: false }))
    expect((await check()).error).toContain("@acme_bot can't post in Acme")
    expect(await project.getAccount()).toMatchObject({ State: 'NEEDS_ATTENTION' })
    expect((await check({ publishing: { telegramApiUrl: await unreachableUrl() } })).error).toContain(
      'Try again later',
    )
    project.telegram.addChat(createChat())
    expect((await check()).output).toBe('Acme can publish.')
    expect(await project.getAccount()).toMatchObject({ State: 'CONNECTED', Problem: null })
  })

  it('removes an account with its token', async () => {
    const project = await startPublishingProject()
    const { Id } = await project.getAccount()
    const { output } = await runOperatorCommand(project, onAccount('remove', Id))
    expect(output).toBe('Removed the account Acme (TELEGRAM).')
    expect((await project.service.pool.query('select from service.account')).rowCount).toBe(0)
    const post = await project.publish({ Content: 'Launch day' })
    expect(post.Results).toMatchObject([{ State: 'NOT_CONNECTED' }])
    expect((await runOperatorCommand(project, onAccount('remove', Id))).error).toContain('has no account')
  })

  it('says how many scheduled posts a removed account would have published', async () => {
    const project = await startPublishingProject()
    const { Id } = await project.getAccount()
    await project.schedule({ Content: 'Launch day' })
    await project.schedule({ Content: 'Launch week' })
    const { output } = await runOperatorCommand(project, onAccount('remove', Id))
    expect(output).toContain("2 scheduled posts won't be published on TELEGRAM")
  })

  it('logs each change', async () => {
    const project = await startEmptyProject()
    await runOperatorCommand(project, addTelegram())
    await runOperatorCommand(project, onAccount('remove', (await project.getAccount()).Id))
    const logs = await project.request('GET', `/api/v1/projects/${project.project_id}/logs`)
    expect(logs.body.data.Items).toMatchObject([
      { Action: 'account.removed', Actor: 'operator' },
      { Action: 'account.connected', Actor: 'operator' },
    ])
  })
})

describe('the accounts in the API', () => {
  const accountsPath = ({ project_id }: PublishingProject) => `/extensions/v1/projects/${project_id}/accounts`

  it('connects one account of a platform at a time', async () => {
    const project = await startPublishingProject()
    const { Id: bot } = await project.getAccount()
    const { id: channel } = await project.connectChannel({ identifier: 'telegram' })
    const path = accountsPath(project)
    const connect = (id: string, IsConnected: boolean) =>
      project.request('PUT', `${path}/${id}`, { IsConnected })
    const listConnected = async () =>
      (await project.listAccounts())
        .filter(({ State }: Record<string, string>) => State === 'CONNECTED')
        .map(({ Id }: Record<string, string>) => Id)
    expect(await listConnected()).toEqual([channel])
    expect((await connect(bot, true)).body.data).toMatchObject({ Id: bot, State: 'CONNECTED' })
    expect(await listConnected()).toEqual([bot])
    expect((await connect(bot, false)).body.data).toMatchObject({ Id: bot, State: 'AVAILABLE' })
    expect(await listConnected()).toEqual([])
    const post = await project.publish({ Content: 'Launch day' })
    expect(post.Results).toMatchObject([{ State: 'NOT_CONNECTED' }])
  })

  it('checks an account', async () => {
    const project = await startPublishingProject()
    const path = `${accountsPath(project)}/${(await project.getAccount()).Id}/check`
    project.telegram.addChat(createChat({ canPost: false }))
    project.clock.advance(SECOND_MS)
    expect((await project.request('PUT', path)).body.data).toMatchObject({
      State: 'NEEDS_ATTENTION',
      Problem: expect.stringContaining('Make it an administrator'),
      CheckedAt: project.clock.now().toISOString(),
    })
    project.telegram.addChat(createChat({ title: 'Acme News' }))
    const checked = (await project.request('PUT', path)).body.data
    expect(checked).toMatchObject({ State: 'CONNECTED', Problem: null, Name: 'Acme News' })
    expect(await project.getAccount()).toEqual(checked)
  })

  it('returns 404 for an account of another project', async () => {
    const project = await startPublishingProject()
    const { Id } = await project.getAccount()
    const other = await project.service.addProject()
    const admin = await project.service.addMember(other, 'ADMIN')
    const path = `/extensions/v1/projects/${other}/accounts/${Id}`
    const json = { IsConnected: false }
    expect((await project.service.request('PUT', path, { ...admin, json })).status).toBe(404)
    expect((await project.service.request('PUT', `${path}/check`, admin)).status).toBe(404)
  })

  it('fails a waiting post whose account is disconnected', async () => {
    const project = await startPublishingProject()
    await project.pauseAccounts()
    const id = await project.schedule({ Content: 'Launch day' })
    await project.waitForError(id, "waiting for the network's rate limit")
    await project.request('PUT', `${accountsPath(project)}/${(await project.getAccount()).Id}`, {
      IsConnected: false,
    })
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({
      Status: 'FAILED',
      Results: [{ Account: 'Acme', Error: 'the account was disconnected' }],
    })
  })
})

describe('REQUIRE_ACCOUNTS', () => {
  it('rejects a scheduled post for platforms without an account, and no draft', async () => {
    const project = await startPublishingProject({ publishing: { requireAccounts: true } })
    const Platforms = ['TELEGRAM', 'X', 'REDDIT']
    const { status, body } = await project.createPost({ Content: 'Launch day', Platforms })
    expect([status, body.detail]).toEqual([
      422,
      [
        expect.objectContaining({
          loc: ['body', 'Platforms'],
          msg: expect.stringContaining('this project has no account for X, REDDIT'),
        }),
      ],
    ])
    const draft = await project.createPost({ Content: 'Launch day', Platforms, Status: 'DRAFT' })
    expect(draft.status).toBe(201)
    const connected = await project.createPost({ Content: 'Launch day' })
    expect(connected.status).toBe(201)
  })

  it('rejects a change of a draft to a scheduled post', async () => {
    const project = await startPublishingProject({ publishing: { requireAccounts: true } })
    const draft = await project.createPost({ Content: 'Launch day', Platforms: ['X'], Status: 'DRAFT' })
    const ScheduleDate = new Date(project.clock.now().getTime() + 60 * SECOND_MS).toISOString()
    const fields = { Content: 'Launch day', ScheduleDate }
    const change = (Platforms: string[]) => project.updatePost(draft.body.data.Id, { ...fields, Platforms })
    expect((await change(['X'])).status).toBe(422)
    expect((await change(['TELEGRAM'])).status).toBe(200)
  })
})

describe("the bot's token", () => {
  const failures: [string, Fault | undefined][] = [
    ['a success', undefined],
    ['a lost response', { kind: 'lost' }],
    ['a wrong token', { kind: 'status', status: 401, description: 'Unauthorized' }],
    ['a redirect', { kind: 'redirect', to: `http://127.0.0.1:9/bot${BOT_TOKEN}` }],
    ['a page', { kind: 'status', status: 200, ...PROXY_PAGE }],
  ]

  it.each(failures)('is in no log and in no response after %s', async (_case, fault) => {
    const { log, entries } = captureLog()
    const project = await startPublishingProject({ log })
    project.telegram.plan(() => fault)
    const id = await project.schedule({ Content: 'Launch day' })
    await waitUntil(async () => {
      const [result] = (await project.getPost(id)).Results ?? []
      return result?.State === 'PUBLISHED' || typeof result?.Error === 'string'
    })
    const account = await project.getAccount()
    const { body } = await project.request(
      'PUT',
      `/extensions/v1/projects/${project.project_id}/accounts/${account.Id}/check`,
    )
    const logs = await project.request('GET', `/api/v1/projects/${project.project_id}/logs`)
    const seen = JSON.stringify([entries, account, body, await project.getPost(id), logs.body])
    expect(entries.map(({ msg }) => msg)).toContain('Recorded the state of a publication')
    expect(seen).toContain('Launch day')
    expect(seen).not.toContain(BOT_TOKEN.split(':')[1])
  })

  it.each([
    ['cannot be sent in an address', () => `1:\ud800 ${BOT_TOKEN}\n%`, undefined],
    ['leads to another address', () => `../../${BOT_TOKEN}?x#y`, undefined],
    ['reaches no server', () => BOT_TOKEN, unreachableUrl],
    ['has an address that is no URL', () => BOT_TOKEN, async () => 'http://[telegram'],
  ])('is in no log and in no response if it %s', async (_case, createToken, createUrl) => {
    const { log, entries } = captureLog()
    const publishing = createUrl && { telegramApiUrl: await createUrl() }
    const project = await startPublishingProject({ log, ...(publishing && { publishing }) })
    const token = createToken()
    await project.service.db.updateTable('account').set({ credentials: token }).execute()
    const id = await project.schedule({ Content: 'Launch day' })
    await waitUntil(async () => Boolean((await project.getPost(id)).Results?.[0].Error))
    const account = await project.getAccount()
    const path = `/extensions/v1/projects/${project.project_id}/accounts/${account.Id}/check`
    const checked = await project.request('PUT', path)
    const seen = JSON.stringify([entries, account, checked.body, await project.getPost(id)])
    expect(seen).not.toContain(BOT_TOKEN.split(':')[1])
    expect(project.telegram.sent).toEqual([])
  })

  it('is encrypted in the database', async () => {
    const project = await startPublishingProject()
    const { rows } = await project.service.pool.query('select account::text as stored from service.account')
    expect(rows).toEqual([{ stored: expect.stringContaining('enc:v1:') }])
    expect(rows[0].stored).not.toContain('telegram-token')
  })
})
