import type { Carried } from './carrier.ts'

type Failure = Extract<Carried, { failure: string }>

/** What Slackbot tells who typed a command that the app did not take. */
export const commandFailed = (command: string, { failure, status }: Failure) =>
  `${command} failed with the error "${failure === 'http_error' ? httpWord(status) : failure}"`

const httpWord = (status = 500) => (status < 500 ? 'http_client_error' : 'http_service_error')

/** What stands beside a button, or in a menu, that the app did not take. */
export function actionFailed({ failure, status }: Failure): string {
  if (failure === 'operation_timeout') return 'Operation timed out. Apps need to respond within 3 seconds.'
  if (failure === 'not_interactive')
    return 'This app is not configured to handle interactive responses. Please configure interactivity URL for this app under the app config page.'
  if (failure === 'app_gone') return 'This app is no longer in the workspace.'
  if (failure === 'http_error') return `This app responded with Status Code ${status}`
  return 'This app could not be reached (dispatch_failed). Is it running?'
}

/** What stands in a modal that the app did not take, or answered with what Slack cannot use. */
export const SUBMISSION_FAILED = 'We had some trouble connecting. Try again?'
