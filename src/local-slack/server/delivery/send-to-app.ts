import type { Slack } from '../workspace/slack.ts'
import type { DeliveryFailure, DeliveryResult, Envelope } from './transport.ts'

/** Sends a user's action to the app, if the app is installed and has enabled interactivity for it. */
export async function sendToApp(slack: Slack, envelope: Envelope): Promise<DeliveryResult> {
  const { installation, manifest } = slack.app
  if (!installation) return { failure: 'app_gone' }
  if (envelope.type === 'interactive' && !manifest.settings.interactivity.is_enabled)
    return { failure: 'not_interactive' }
  return slack.transport.send(envelope)
}

/** Slackbot's message to a user whose command failed. */
export function describeCommandFailure(command: string, { failure, status = 500 }: DeliveryFailure): string {
  const httpError = status < 500 ? 'http_client_error' : 'http_service_error'
  return `${command} failed with the error "${failure === 'http_error' ? httpError : failure}"`
}

/** The message beside a button or in a menu whose action failed. */
export function describeActionFailure({ failure, status }: DeliveryFailure): string {
  if (failure === 'operation_timeout') return 'Operation timed out. Apps need to respond within 3 seconds.'
  if (failure === 'not_interactive')
    return 'This app is not configured to handle interactive responses. Please configure interactivity URL for this app under the app config page.'
  if (failure === 'app_gone') return 'This app is no longer in the workspace.'
  if (failure === 'http_error') return `This app responded with Status Code ${status}`
  return "Couldn't reach this app (dispatch_failed). Is it running?"
}
