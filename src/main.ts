import { fileURLToPath } from 'node:url'
import { readConfig, startedByNpm } from './config.ts'
import { openLocalSlack } from './local-slack/open-local-slack.ts'
import { createLog } from './log.ts'
import { runUntilStopped } from './run.ts'
import { serve } from './serve.ts'
import { realWorld as world } from './world.ts'

const manifest = fileURLToPath(new URL('../manifest.yml', import.meta.url))

await runUntilStopped(
  async (opened) => {
    const config = readConfig()
    const parts = [`service ${config.API_BASE_URL ?? (await serve(config, opened))}`]
    if (!config.SLACK_BOT_TOKEN) {
      const log = createLog(config.LOG_LEVEL)
      const slack = await openLocalSlack({
        manifest,
        world,
        port: config.LOCAL_SLACK_PORT,
        log: (error) => log.error(error, 'local Slack'),
      })
      opened(slack.close)
      console.log(`slack     ${slack.url}   (a Slack of this machine's own; nobody else can reach it)`)
      parts.push(`slack ${slack.url}`)
    }
    console.log(`ready     ${parts.join('   ')}`)
  },
  { endsWithParent: startedByNpm() },
)
