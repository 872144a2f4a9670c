import type { Origin } from '../slack/feature.ts'
import type { Attachment, ShownReading } from './field.ts'
import type { OpenedRecord } from './form-value.ts'
import type { MovedWords, WordsToChoose } from './moved-words.ts'

/** Stored in the private_metadata of an open form. */
export type FormMetadata<Opened = OpenedRecord> = {
  channel: string | undefined
  response_url?: string | undefined
  /**
   * The id of the form's project. It is stored because Slack doesn't report the state of inputs when it asks for the
   * options of a menu.
   */
  project?: string | undefined
  origin?: Origin | undefined
  /** What this form replaces: the id of an outbox item, or the id and version of a digest. */
  replaces?: string | undefined
  opened?: Opened | undefined
  /** The subject of the form, if its fields don't show it. */
  about?: string | undefined
  /** Options that select menus must leave out. */
  unavailable?: string[] | undefined
  /** Why fields aren't shown, by field. */
  unavailableFields?: Record<string, string> | undefined
  attachment?: Attachment | undefined
  /** The id of the picked record whose values were filled in. */
  filledFrom?: string | undefined
  /** Hashes of the values that a chosen option filled in, by field. */
  filledHashes?: Record<string, string>
  /** Words that a button fills in, by field. */
  suggestions?: Record<string, string> | undefined
  /** The readings that the notes last showed, by field. */
  shown?: Record<string, ShownReading>
  /** The `action_ts` of the latest action whose changes to other inputs the form shows. */
  changed_ts?: string
  /** The user asked for all fields. */
  showsMore?: boolean
  /** The name of the continued form's file, which the user must add again because Slack doesn't keep it. */
  missingFile?: string | undefined
  /** An earlier form that the user can continue. */
  unfinished?: { view_id: string; label: string } | undefined
  /** Describes someone else's changes, which the user has agreed to replace. */
  overridden?: string | undefined
  movedWords?: MovedWords | undefined
  wordsToChoose?: WordsToChoose | undefined
  /** Part of the inputs' action ids. Slack shows new values only under new ids. */
  generation?: number
}
