import type { Api } from '../../api/client.ts'
import type { ApiFailure, ApiResult } from '../../api/result.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import type { Feature } from '../feature.ts'
import type { Button, Reply } from '../message-blocks.ts'
import type { Permission } from '../permissions.ts'
import type { Viewer } from '../post-blocks.ts'
import type { NamedProject } from '../projects/projects.ts'
import type { Field, FormContext, Prefill, SearchContext } from './field.ts'
import type { Choice, FormValue, FormValues } from './form-value.ts'
import type { Outcome } from './outcome.ts'

/** A select menu above the fields: the record to edit, or a workspace member. A choice fills in the fields. */
export type RecordSelect = {
  label: string
  hint?: string
  isOptional?: boolean
  /** The records of the project. Without a search, the menu lists the members of the workspace. */
  search?: (context: SearchContext) => Promise<Choice[]>
  /** Values for the fields. Fields without a value keep theirs. */
  prefill?: (context: SearchContext & { id: string }) => Promise<Prefill>
}

export type LookupContext = { api: Api; project: NamedProject; deadlineMs: number }

export type SendContext = LookupContext & {
  bot: Bot
  actor: Actor
  /** The record that the form edits. */
  record_id: string
  /** The digest that the form replaces. */
  replaces?: string | undefined
}

export type WarningContext = LookupContext & { viewer: Viewer }

/** The user confirms a warning by submitting again. Its id stays the same while its wording follows the clock. */
export type Warning = { id: string; message: string }

/** What a lookup of a record with an unconfirmed creation finds. */
export type Lookup =
  /** `isComplete`: no further match can exist. */
  | { kind: 'found'; matches: { id: string; record: unknown }[]; isComplete: boolean }
  | { kind: 'failed'; failure: ApiFailure }
  /** Only the user can tell whether the record exists. */
  | { kind: 'impossible' }

/** A form that creates a record goes through the outbox, so that the record is created exactly once. */
export type Creation<Body> = {
  findExisting?: (body: Body, context: LookupContext) => Promise<Lookup>
}

export type OpenContext = Viewer & { locale: string | undefined; channel: string | undefined }

export type SuccessContext = Viewer & { project: NamedProject }

export type FormDefinition<Body, Record> = {
  verb: string
  command?: `/${string}`
  usage: string
  help: string
  /** At most 24 characters, like the label of the button. */
  title: string
  submitLabel: string | ((values: { [Name in keyof Body]?: FormValue }) => string)
  permission: Permission
  shortcuts?: Feature['shortcuts']
  actions?: Feature['actions']
  recordSelect?: RecordSelect
  /** The user may post the result in the channel. Not for forms about people. */
  canNotifyChannel?: boolean
  /** Keyed by the API's field names: neither a misspelled name nor a value of another type compiles. */
  fields: { [Name in keyof Body]?: Field<NonNullable<Body[Name]>> }
  /** Initial values, from the text after the command. */
  prefill?: (text: string, context: OpenContext) => { [Name in keyof Body]?: FormValue }
  /** A message above the fields when the form opens with this text. */
  notice?: (text: string, context: OpenContext) => string | undefined
  /** Messages under fields, from the values entered so far. */
  fieldNotes?: (body: Partial<Body>, context: FormContext) => { [Name in keyof Body]?: string }
  /** Error messages by field. */
  validate?: (body: Partial<Body>, context: FormContext) => { [Name in keyof Body]?: string }
  findWarnings?: (body: Body, context: WarningContext) => Promise<Warning[]>
  creation?: Creation<Body>
  /** Stores what later forms offer for selection. */
  remember?: (record: Record, context: { bot: Bot; actor: Actor; project: NamedProject }) => Promise<unknown>
  successReply: (record: Record, context: SuccessContext) => Reply
  nextActions: (record: Record, project: NamedProject) => Button[]
} & (
  | { send: (body: Body, context: SendContext) => Promise<ApiResult<Record>>; save?: never }
  /** For a form that the bot's own database backs. */
  | { save: (body: Body, context: SendContext) => Promise<Outcome>; send?: never }
)

// The engine handles the bodies and records of every form.
type AnyDefinition = FormDefinition<{ [field: string]: unknown }, unknown>

/** A form as the engine sees it. */
export type Form = Feature &
  Omit<AnyDefinition, keyof Feature | 'fields' | 'prefill' | 'send' | 'save'> & {
    fields: { [field: string]: Field<unknown> }
    prefill: (text: string, context: OpenContext) => FormValues
    send?: (body: { [field: string]: unknown }, context: SendContext) => Promise<ApiResult<unknown>>
    save?: (body: { [field: string]: unknown }, context: SendContext) => Promise<Outcome>
  }
