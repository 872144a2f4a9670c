import { parseArgs } from 'node:util'
import { type LocalSlack, openLocalSlack, type Secrets } from './index.ts'
import { systemRuntime as runtime } from './runtime.ts'

const HELP = `Usage: npm run local-slack -- [options]

Run a Slack workspace on this machine for one app.

  --manifest FILE        App manifest (default: manifest.yml)
  --port PORT            Port on 127.0.0.1 (default: 4020; 0 for any free port)
  --seed FILE            Users, channels and messages of the workspace
  --requests-to URL      Send HTTP requests to the app in place of Socket Mode
  --bot-token TOKEN      Tokens and secrets of the app (default: generated)
  --app-token TOKEN
  --signing-secret TEXT
  --client-id TEXT
  --client-secret TEXT
  --refuse-optional      Install the app without its optional scopes
  --not-installed        Start without the app, to install it through OAuth
  --help, -h             Show this help`

const options = {
  manifest: { type: 'string', default: 'manifest.yml' },
  port: { type: 'string', default: '4020' },
  seed: { type: 'string' },
  'requests-to': { type: 'string' },
  'bot-token': { type: 'string' },
  'app-token': { type: 'string' },
  'signing-secret': { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  'refuse-optional': { type: 'boolean', default: false },
  'not-installed': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const ORPHAN_CHECK_INTERVAL_MS = 500

try {
  const { values } = parseArgs({ options })
  if (values.help) {
    console.log(HELP)
  } else {
    const slack = await openLocalSlack({
      manifest: values.manifest,
      runtime,
      port: readPort(values.port),
      seed: values.seed,
      requestUrl: values['requests-to'],
      installed: !values['not-installed'],
      refusesOptionalScopes: values['refuse-optional'],
      secrets: readSecrets(values),
    })
    printAddresses(slack, { usesOauth: values['not-installed'] })
    closeOnSignal(slack)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function readPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Error(`--port ${text} is not a port. Enter a number from 0 to 65535.`)
}

type SecretOptions = Partial<
  Record<'bot-token' | 'app-token' | 'signing-secret' | 'client-id' | 'client-secret', string>
>

function readSecrets(values: SecretOptions): Partial<Secrets> {
  const secrets = {
    botToken: values['bot-token'],
    appToken: values['app-token'],
    signingSecret: values['signing-secret'],
    clientId: values['client-id'],
    clientSecret: values['client-secret'],
  }
  return Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret !== undefined))
}

/** Prints the addresses and secrets as the environment variables that Slack apps usually read. */
function printAddresses(
  { url, apiUrl, secrets, unsupported }: LocalSlack,
  { usesOauth }: { usesOauth: boolean },
): void {
  const variables = {
    SLACK_API_URL: apiUrl,
    // With a client id, some SDKs ignore the bot token.
    ...(usesOauth
      ? { SLACK_CLIENT_ID: secrets.clientId, SLACK_CLIENT_SECRET: secrets.clientSecret }
      : { SLACK_BOT_TOKEN: secrets.botToken }),
    SLACK_APP_TOKEN: secrets.appToken,
    SLACK_SIGNING_SECRET: secrets.signingSecret,
  }
  console.log(`slack     ${url}   (only on this machine; all data is lost when it stops)
          environment variables for the app:`)
  for (const [name, value] of Object.entries(variables)) console.log(`          ${name}=${value}`)
  if (unsupported.length)
    console.log(`note      Not supported here, but in your manifest: ${unsupported.join('; ')}.`)
  console.log(`ready     slack ${url}`)
}

function closeOnSignal(slack: LocalSlack): void {
  let isStopping = false
  const stop = async () => {
    // npm repeats a Ctrl-C that the terminal has already sent.
    if (isStopping) return
    isStopping = true
    console.log('stopping')
    await slack.close()
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  if (process.env.npm_lifecycle_event === undefined) return
  // A SIGTERM to npm ends the shell between npm and this process, but does not reach this process.
  const parent = process.ppid
  const orphanCheck = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(orphanCheck)
    void stop()
  }, ORPHAN_CHECK_INTERVAL_MS)
}
