import type { Slack } from '../workspace/slack.ts'
import type { Carried, Envelope } from './carrier.ts'

/** Asks the app what a person's doing is to come to, where it is there and means to be asked. */
export async function askApp(slack: Slack, envelope: Envelope): Promise<Carried> {
  const { installation, manifest } = slack.app
  if (!installation) return { failure: 'app_gone' }
  if (envelope.type === 'interactive' && !manifest.settings.interactivity.is_enabled)
    return { failure: 'not_interactive' }
  return slack.carrier.carry(envelope)
}
