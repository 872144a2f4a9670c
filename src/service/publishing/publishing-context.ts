import type { Logger } from 'pino'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Runtime } from '../../runtime.ts'
import type { Db } from '../stores/tables.ts'
import type { PublisherSettings } from './create-publishers.ts'
import type { Dispatcher } from './public-dispatcher.ts'
import type { Publishers } from './publisher.ts'

export type PublishingContext = Pick<PublisherSettings, 'ownMediaPrefixes' | 'allowPrivateWebhooks'> & {
  db: Db
  log: Logger
  metrics: Metrics
  runtime: Runtime
  publishers: Publishers
  publicDispatcher: Dispatcher
  webhookTimeoutMs: number
}
