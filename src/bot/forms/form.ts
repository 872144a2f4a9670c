import type { KnownBlock, ModalView } from '@slack/types'
import type { ApiFailure } from '../../api/result.ts'
import { formatBytes, type MediaFacts } from '../../platforms/platform-media.ts'
import type { ReadingContext } from '../../time/reading.ts'
import type { Db } from '../database/tables.ts'
import type { Actor } from '../slack/actor.ts'
import type { Bot } from '../slack/bot.ts'
import { type Feature, listFeatures, type Module, type Request, type Search } from '../slack/feature.ts'
import type { Button, Reply, Viewer } from '../slack/message-blocks.ts'
import type { OnPosted } from '../slack/notify.ts'
import type { Permission } from '../slack/permissions.ts'
import type { NamedProject } from '../slack/project-list.ts'
import type { SlackFile } from '../slack/slack-file.ts'
import type { Attachment, Field, LoadPrefill } from './field.ts'
import type { FormMetadata } from './form-metadata.ts'
import type { FormValue, FormValues, OpenedRecord } from './form-value.ts'
import type { MovedWords, WordsToChoose } from './moved-words.ts'
import type { Outcome } from './outcome.ts'

/** A select menu above the fields: the record to edit, or a workspace member. A choice fills in the fields. */
export type RecordSelect = {
  label: string
  hint?: string
  isOptional?: boolean
  /** The records of the project. Without a search, the menu lists the members of the workspace. */
  search?: Search
  prefill?: LoadPrefill
  /** The fields that `prefill` fills in. */
  fills?: string[]
}

export type CallContext = { bot: Bot; project: NamedProject; deadline: Date }

/** A submission that was stored before it was sent. */
export type StoredSubmission = Record<'id' | 'team_id' | 'project_id' | 'form', string> & {
  held_until: Date | null
  state: string
  user_id: string
  body: Record<string, unknown> | null
  batch_id: string | null
}

/** `item` is the submission whose record is looked up. */
export type LookupContext = Omit<CallContext, 'deadline'> & { item: StoredSubmission }

export type SendContext<Opened = undefined> = CallContext & {
  actor: Actor
  record_id?: string | undefined
  replaces?: string | undefined
  opened: Opened
  /** The record was held in the outbox until now. */
  wasHeld?: boolean
  /** Shared by all records that were submitted together. One message reports on all of them. */
  batch_id?: string | null
  /** Messages to show with the result: the warnings, and notes on versions that the user chose to replace. */
  resultWarnings?: string[]
  /** The id of the open form's view. */
  view_id?: string
}

export type WarningContext<Opened = undefined> = CallContext &
  Pick<SendContext, 'replaces'> & {
    actor: Actor
    viewer: Viewer
    opened: Opened
  }

/**
 * Unless a warning is minor, the user must confirm it before the form is sent. Its id stays the same when its wording
 * changes with time.
 */
export type Warning = {
  id: string
  message: string
  /** The warning needs no confirmation. It is shown with the result. */
  isMinor?: boolean
  /** The record exists already. */
  isDuplicate?: boolean
}

/** The result of looking up a record whose creation is unconfirmed. */
export type Lookup =
  | {
      kind: 'found'
      matches: { id: string; record: Record<string, unknown> }[]
      /** Descriptions of records that may match. The comparison was inconclusive. */
      possibleMatches: string[]
      /** Whether no further match can exist. */
      isComplete: boolean
      /** Whether the list is up to date. Otherwise the service may not list the record yet. */
      isCurrent: boolean
    }
  | { kind: 'failed'; failure: ApiFailure }
  /** Only the user can find out whether the record exists. */
  | { kind: 'impossible' }

/** `project_id` is undefined until a project is chosen. */
export type NoteContext = ReadingContext & { bot: Bot; project_id: string | undefined }

/** A submission that is about to be stored. */
export type NewSubmission = Record<'id' | 'team_id' | 'project_id', string> & {
  /** The id of the outbox item that this one replaces, because the user edited it. */
  replaces?: string | undefined
  body?: Record<string, unknown> | null
  /** Slack markup with the form's warnings. Confirmed warnings begin with `CONFIRMED_WARNING_PREFIX`. */
  warnings?: string | null
}

export type OpenContext = ReadingContext & { channel: string | undefined }

/** `postedBy` is the user who posts the result in the channel. */
export type SuccessContext = Viewer & { bot: Bot; project: NamedProject; postedBy?: string | undefined }

/** The fields of a request body. Each may have a value of type `T`. */
type PerField<Body, T> = { [Name in keyof Body]?: T }

/** A file that the user can upload in place of a link. A form with such a file goes through the outbox. */
export type UploadField<Body> = {
  /** The input for the file, the field that gets its link, and the field for its alternative text. */
  file: keyof Body & string
  link: keyof Body & string
  altText: keyof Body & string
  /** Returns undefined if files can be uploaded. */
  explainUnavailable: (bot: Bot, actor: Actor) => string | undefined
  /** Finds a file that was uploaded before, and returns it with values for other fields. `opened` is the changed record. */
  findUploaded: (
    bot: Bot,
    actor: Actor,
    values: FormValues,
    opened: OpenedRecord | undefined,
  ) => Promise<{ attachment: Attachment; values: FormValues } | undefined>
  /** Checks the uploaded file against the rest of the form. If there are errors, the form isn't sent. */
  check: (body: Body, file: MediaFacts) => { errors: string[]; warnings: string[] }
}

export const describeFile = ({ name, size }: SlackFile): string =>
  size ? `${name}, ${formatBytes(size)}` : name

/** `note` says that the message has other files. */
export const toAttachment = (field: string, file: SlackFile, note = ''): Attachment => ({
  field,
  input: { files: [file] },
  description: describeFile(file) + note,
})

/** A button that fills in other fields. */
export type Offer = {
  /** The field above the button. */
  field: string
  label: string
  isOffered: (values: FormValues) => boolean
  change: (values: FormValues) => FormValues
}

/** `Opened` is the record that the form is opened with, if any. */
export type FormDefinition<Body, Result, Opened extends OpenedRecord | undefined = undefined> = Omit<
  Feature,
  'access' | 'run' | 'options'
> & {
  /** Slack allows at most 24 characters, here and in the label of the submit button. */
  title: string
  submitLabel: string | ((values: PerField<Body, FormValue>, opened: Opened | undefined) => string)
  permission: Permission
  /** The form changes nothing in the project, so it's also for people who aren't among the project's writers. */
  changesNoProject?: true
  /** `send` adds its own entries to the audit trail. */
  writesAuditEntries?: true
  /** Runs the command, if it doesn't just open an empty form. If set, no button opens an empty form either. */
  run?: Feature['run']
  /** The access that `run` requires, if it differs from the form's. */
  access?: Feature['access']
  recordSelect?: RecordSelect
  /** The user may post the result in the channel. Not for forms about people. */
  canNotifyChannel?: boolean
  /** Keyed by the API's field names: neither a misspelled name nor a value of another type compiles. */
  fields: { [Name in keyof Body]?: Field<NonNullable<Body[Name]>> }
  upload?: UploadField<Body>
  /** Initial values, from the text after the command. */
  prefill?: (
    text: string,
    context: OpenContext,
  ) => {
    values: PerField<Body, FormValue>
    /** Notes for the user about how the text was read. */
    messages?: string[]
    /** Words of the text that fill in another field. */
    movedWords?: MovedWords | undefined
    wordsToChoose?: WordsToChoose | undefined
  }
  /** Initial values that depend on settings. They replace those from `prefill`. */
  loadDefaults?: (user: { bot: Bot; actor: Actor }, values: FormValues) => Promise<FormValues>
  /** Loads the project's current values, for a form that replaces them. Such a form offers no other project. */
  loadCurrentValues?: (
    request: Request,
    project_id: string,
  ) => Promise<{ values: FormValues; version: string; messages?: string[] }>
  /** Returns the names of fields that the form leaves out. */
  hiddenFields?: (bot: Bot) => string[]
  /** The fields that can't be offered, and why. */
  unavailableFields?: (user: { bot: Bot; actor: Actor }) => Record<string, string>
  offer?: Offer
  /** Returns the options that select menus must leave out. */
  unavailableOptions?: (
    user: { bot: Bot; actor: Actor },
    form: { values: FormValues; opened: Opened },
  ) => Promise<string[]>
  /** Messages under fields, from the values entered so far. */
  fieldNotes?: (body: Partial<Body>, context: NoteContext) => PerField<Body, string>
  validate?: (body: Partial<Body>, context: ReadingContext) => PerField<Body, string>
  /** Replaces words such as "tomorrow", which mean something else on another day. */
  fixedValues?: (body: Body) => FormValues
  /** The body, without its date, as a line of markup. */
  summarize?: (body: Body) => string
  findWarnings?: (body: Body, context: WarningContext<Opened>) => Promise<Warning[]>
  /** A form that creates a record goes through the outbox, so that the record is created exactly once. */
  creation?: {
    findExisting?: (body: Body, context: LookupContext) => Promise<Lookup>
    /** Keeps records in the outbox for a while, so that they can still be changed. */
    holding?: {
      isHeld: (body: Body) => boolean
      /** Returns the body and the form values to send when the hold ends. */
      release: (body: Body) => { body: Body; form_values: FormValues }
    }
    /**
     * Reserves something unique, such as a slot, in the transaction that stores or requeues the item. Returns an error
     * if it's already taken.
     */
    reserve?: (
      db: Db,
      item: NewSubmission,
      now: Date,
    ) => Promise<{ field: string; message: string } | undefined>
    /** Splits a submission into the records that it creates. `reason` explains to the user why there are several. */
    split?: (bot: Bot, body: Body) => { parts: { body: Body; form_values: FormValues }[]; reason: string }
    /** After this time, the record isn't sent anymore. The user is asked for a new time. */
    getLatestSendTime?: (body: Body) => Date | undefined
    /** Runs in the transaction that holds, releases, settles or ends an outbox item. */
    onItemChange?: (db: Db, item: StoredSubmission, now: Date) => Promise<unknown>
  }
  send: (body: Body, context: SendContext<Opened>) => Promise<Outcome<Result>>
  /** Runs after a success, for example to notify others or to save suggestions for later forms. */
  followUp?: (
    result: Result,
    context: Pick<SendContext<Opened>, 'bot' | 'actor' | 'project' | 'opened'>,
  ) => Promise<unknown>
  successReply: (result: Result, context: SuccessContext) => Reply
  nextActions?: (result: Result, project: NamedProject) => Button[]
  /** A view that is shown instead of the form and the reply. */
  successView?: (result: Result, context: SuccessContext) => ModalView
  /** Stores where the reply was posted, so that the message can be kept up to date. */
  onPosted?: (result: Result, success: SuccessContext) => OnPosted
  /** Shows what the user has entered, in a view above the form. */
  preview?: (body: Partial<Body>, viewer: Viewer) => KnownBlock[]
  /** Buttons at the end of the form. */
  extraActions?: (metadata: FormMetadata<Opened>) => Button[]
}

/** The common type of all forms, for code that doesn't depend on the body and the result. */
export type Form = Feature &
  Omit<
    FormDefinition<Record<string, unknown>, unknown, OpenedRecord | undefined>,
    'fields' | 'run' | 'access'
  > & {
    fields: Record<string, Field<unknown>>
  }

const isForm = (feature: Feature): feature is Form => 'fields' in feature

export const listForms = (modules: Module[]): Form[] => listFeatures(modules).filter(isForm)
