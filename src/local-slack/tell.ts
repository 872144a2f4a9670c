import type { LocalSlack } from './open-local-slack.ts'

/** What who starts this Slack alone has to know, in the shape of the variables that bots read. */
export function tellOf({ url, apiUrl, secrets }: LocalSlack): void {
  console.log(`slack     ${url}   (on this machine only; everything in it ends with it)`)
  console.log('          for the app:')
  console.log(`          SLACK_API_URL=${apiUrl}`)
  console.log(`          SLACK_BOT_TOKEN=${secrets.botToken}`)
  console.log(`          SLACK_APP_TOKEN=${secrets.appToken}`)
  console.log(`          SLACK_SIGNING_SECRET=${secrets.signingSecret}`)
  console.log(`          SLACK_CLIENT_ID=${secrets.clientId}`)
  console.log(`          SLACK_CLIENT_SECRET=${secrets.clientSecret}`)
  console.log(`ready     slack ${url}`)
}
