import { parseArgs } from 'node:util'
import { isStartedByNpm } from '../config.ts'
import { runUntilStopped } from '../lifecycle.ts'
import { systemRuntime as runtime } from '../runtime.ts'
import { openLocalSlack } from './open-local-slack.ts'
import { tellOf } from './tell.ts'

const HELP = `Usage: npm run local-slack -- [options]

A Slack workspace on this machine, for the app that a manifest describes.

  --manifest FILE        the app's manifest (manifest.yml)
  --port PORT            where to listen, on 127.0.0.1 alone (4020; 0 for any free port)
  --seed FILE            who and what is in the workspace
  --requests-to URL      reach the app over HTTP, there, and not in Socket Mode
  --bot-token TOKEN      the app's tokens and secrets; what is not given is made up
  --app-token TOKEN
  --signing-secret TEXT
  --client-id TEXT
  --client-secret TEXT
  --not-installed        leave it to the app to ask people in (OAuth)`

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
  'not-installed': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

await runUntilStopped(
  async (addCleanup) => {
    const { values } = parseArgs({ options })
    if (values.help) {
      console.log(HELP)
      process.exit()
    }
    const port = Number(values.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(`--port ${values.port} is no port: give a number from 0 to 65535.`)
    const given = {
      botToken: values['bot-token'],
      appToken: values['app-token'],
      signingSecret: values['signing-secret'],
      clientId: values['client-id'],
      clientSecret: values['client-secret'],
    }
    const slack = await openLocalSlack({
      manifest: values.manifest,
      runtime,
      port,
      seed: values.seed,
      requestUrl: values['requests-to'],
      installed: !values['not-installed'],
      secrets: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    })
    addCleanup(slack.close)
    tellOf(slack)
  },
  { stopsWithParent: isStartedByNpm() },
)
