import { readConfig, startedByNpm } from './config.ts'
import { runUntilStopped } from './run.ts'
import { serve } from './serve.ts'

await runUntilStopped(
  async (opened) => {
    const config = readConfig()
    const service = config.API_BASE_URL ?? (await serve(config, opened))
    console.log(`ready     service ${service}`)
  },
  { endsWithParent: startedByNpm() },
)
