import type { ModalView } from '@slack/types'
import type { Asker, Bot } from './bot.ts'
import type { Reply } from './reply.ts'

/** Somebody used a command. It is acknowledged already. */
export type Request = {
  bot: Bot
  asker: Asker
  /** What was typed behind the verb. */
  words: string
  /** Answers the person alone. */
  reply: (reply: Reply) => Promise<void>
  /** Opens a modal before them: at once, for that right lasts three seconds. It can be changed while it is open. */
  open: (view: ModalView) => Promise<{ update: (view: ModalView) => Promise<void> }>
}

/** One thing a person can do. Help, the router and the manifest's test come from what is declared here. */
export type Feature = {
  verb: string
  /** The verb's own command, for what is used most. */
  command?: `/${string}`
  usage: string
  help: string
  run: (request: Request) => Promise<void>
}
