import type { Config } from '../../config.ts'
import { formatUrl } from '../../listen-address.ts'
import type { Runtime } from '../../runtime.ts'
import { createPostiz } from './postiz.ts'
import { createPublicDispatcher } from './public-dispatcher.ts'
import type { Publishers } from './publisher.ts'
import { createTelegram } from './telegram.ts'
import { createWebhookPublisher } from './webhook-publisher.ts'

export type PublisherSettings = {
  telegramApiUrl: string
  postiz: { url: string; apiKey: string } | undefined
  /** URL prefixes of Upnext's own files, which may be on this machine. */
  ownMediaPrefixes: string[]
  /** Whether a post for a platform without an account is rejected. */
  requireAccounts: boolean
  /** Whether webhooks may have addresses that can't be reached from the internet. */
  allowPrivateWebhooks: boolean
}

export function readPublisherSettings(config: Config): PublisherSettings {
  const { POSTIZ_URL: url, POSTIZ_API_KEY: apiKey, HOST, PORT, SERVICE_PORT, PUBLIC_URL } = config
  // Media links are compared after URL normalization, which makes the host lowercase.
  const botUrl = PUBLIC_URL ? new URL(PUBLIC_URL).href.replace(/\/$/, '') : formatUrl(HOST, PORT)
  return {
    telegramApiUrl: config.TELEGRAM_API_URL,
    postiz: url && apiKey ? { url, apiKey } : undefined,
    ownMediaPrefixes: [`${botUrl}/media/`, `${formatUrl(HOST, SERVICE_PORT)}/demo/`],
    requireAccounts: config.REQUIRE_ACCOUNTS,
    allowPrivateWebhooks: config.WEBHOOKS_TO_PRIVATE_ADDRESSES,
  }
}

export const createPublishers = (
  { telegramApiUrl, postiz, allowPrivateWebhooks }: PublisherSettings,
  runtime: Pick<Runtime, 'fetch' | 'nodeFetch' | 'now'>,
): Publishers => ({
  WEBHOOK: createWebhookPublisher({
    runtime,
    dispatcher: allowPrivateWebhooks ? undefined : createPublicDispatcher(),
  }),
  TELEGRAM: createTelegram({ runtime, apiUrl: telegramApiUrl }),
  POSTIZ: postiz && createPostiz({ runtime, ...postiz }),
})
