import type { ModalView } from '@slack/types'
import type { Asker, Bot } from './bot.ts'
import type { Choice } from './form/field.ts'
import type { Reply } from './reply.ts'

/** Somebody used a command, pressed a button or took a shortcut. It is acknowledged already. */
export type Request = {
  bot: Bot
  asker: Asker
  /** What was typed behind the verb, or what the button holds. */
  words: string
  /** Answers the person alone. */
  reply: (reply: Reply) => Promise<void>
  /** The same, in the place of what they pressed a button in. */
  replace: (reply: Reply) => Promise<void>
  /** Says it to all in the channel. */
  share: (reply: Reply) => Promise<void>
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
  /** What its buttons do, by their action ids. */
  actions?: Record<string, (request: Request) => Promise<void>>
  /** What its lists offer for what was typed so far, by their action ids. */
  options?: Record<string, (bot: Bot, typed: string) => Promise<Choice[]>>
  /** Where else in Slack it can be reached. */
  shortcuts?: { type: 'global' | 'message'; callback_id: string }[]
}
