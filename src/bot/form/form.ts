import type { Api } from '../../api/client.ts'
import type { Outcome } from '../../api/outcome.ts'
import type { Right } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import type { Feature } from '../feature.ts'
import type { Reader } from '../posts.ts'
import type { KnownProject } from '../projects.ts'
import type { Button, Reply } from '../reply.ts'
import type { Failure } from '../trouble.ts'
import type { Field, Initial, Scene } from './field.ts'
import { openForm } from './open-form.ts'
import type { Pick } from './pick.ts'

/** What looking for something needs, and what changing something needs beside that. */
export type Looking = { api: Api; project: KnownProject; deadlineMs: number }
export type Sending = Looking & {
  bot: Bot
  asker: Asker
  picked: string
  /** What it takes the place of. */
  replaces?: string | undefined
}

export type Checking = { api: Api; project: KnownProject; reader: Reader; deadlineMs: number }

/** What is pointed out once: who sends it off again means it. Its id stays the same where the words follow the time. */
export type Warning = { id: string; say: string }

/** What there is of something that was sent off without a clear answer. */
export type Seen =
  | { kind: 'seen'; found: { id: string; data: unknown }[] }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'cannot tell' }

/** What makes something anew goes through the outbox: it is to be there once, however the call goes. */
export type Creation<Body> = {
  /** The id of what was made, as the API answered. */
  idOf: (data: unknown) => string | undefined
  /** Looks whether it is there; without this only a person can say. */
  find?: (body: Body, looking: Looking) => Promise<Seen>
}

/** Who opens it, and where. */
type Opening = Reader & { locale: string | undefined; channel: string | undefined }

export type Keeping = { bot: Bot; asker: Asker; project: KnownProject }

type Definition<Body> = {
  verb: string
  command?: `/${string}`
  usage: string
  help: string
  /** At most 24 characters, as is what the button says. */
  title: string
  submit: string | ((values: Record<string, string | undefined>) => string)
  right: Right
  shortcuts?: Feature['shortcuts']
  /** What its buttons do, beside the one that opens it. */
  actions?: Feature['actions']
  pick?: Pick
  /** Whether a channel may be told of it, who wishes so: not where it is about people. */
  isForAll?: boolean
  /** By the API's own names: a misspelt one does not compile, and neither does a value of another type. */
  fields: { [Name in keyof Body]?: Field<NonNullable<Body[Name]>> }
  /** What the fields begin with, where words were typed behind the command. */
  initial?: (words: string, opening: Opening) => Partial<Record<keyof Body, Initial>>
  /** What is said above it as it opens with such words. */
  remark?: (words: string, opening: Opening) => string | undefined
  /** What it says of itself under its fields, of as much as stands in it. */
  notes?: (body: Partial<Body>, scene: Scene) => { [Name in keyof Body]?: string }
  /** What stands in the way, by field: of as much as could be read. */
  faults?: (body: Partial<Body>, scene: Scene) => { [Name in keyof Body]?: string }
  /** What is pointed out before it is sent. */
  warn?: (body: Body, checking: Checking) => Promise<Warning[]>
  send: (body: Body, sending: Sending) => Promise<Outcome>
  creates?: Creation<Body>
  /** What is remembered of it. */
  keep?: (data: unknown, keeping: Keeping) => Promise<unknown>
  done: (data: unknown, reader: Reader & { project: KnownProject }) => Reply
  /** What can be done next. */
  next: (data: unknown, project: KnownProject) => Button[]
}

/** A form as its machinery sees it: names, and fields of whatever type. */
export type Form = Feature &
  Omit<Definition<Record<string, unknown>>, keyof Feature | 'fields' | 'initial'> & {
    fields: Record<string, Field<unknown>>
    initial: (words: string, opening: Opening) => Record<string, Initial>
  }

/** Declares a form, which is a feature too: its command opens it. */
export function form<Body>(definition: Definition<Body>): Form {
  const made: Form = {
    // `Definition` has checked names and types against the contract; from here on they are any form's.
    ...(definition as unknown as Form),
    initial: definition.initial ?? (() => ({})),
    run: (request) => openForm(made, request),
    actions: {
      // The button may say which project it is about.
      [`${definition.verb}:open`]: (request) =>
        openForm(made, { ...request, words: '' }, request.words ? { project_id: request.words } : {}),
      ...definition.actions,
    },
  }
  return made
}
