import type { WebClient } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Api } from '../api/client.ts'
import type { Runtime } from '../runtime.ts'
import type { Db } from '../store/tables.ts'
import type { Directory } from './directory.ts'

/** What everything the bot does has at hand. */
export type Bot = {
  api: Api
  db: Db
  directory: Directory
  log: Logger
  runtime: Runtime
  /** Slack ids of those who may what owners and admins may. */
  admins: string[]
  guestsMayWrite: boolean
}

/** Somebody who asks for something, and where. */
export type Asker = {
  team_id: string
  user_id: string
  /** Undefined where they asked from no channel: on the Home, or with a shortcut. */
  channel_id: string | undefined
  /** The way to answer there, for half an hour. */
  response_url?: string | undefined
  client: WebClient
}
