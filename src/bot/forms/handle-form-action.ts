import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { addMs } from '../../runtime.ts'
import type { ReadingContext } from '../../time/reading.ts'
import type { Actor } from '../slack/actor.ts'
import { authorizeAction } from '../slack/authorize-action.ts'
import type { Bot } from '../slack/bot.ts'
import { reportBug, reportFailure } from '../slack/errors.ts'
import { updateModal } from '../slack/handle-request.ts'
import { type AuthorizedActor, accessForModal, authorize } from '../slack/permissions.ts'
import { chooseProject } from '../slack/projects.ts'
import { completeProjectWords, problemNotes } from './complete-words.ts'
import { fieldNotes, truncationWarnings } from './field-messages.ts'
import { firstValue } from './fields.ts'
import {
  type ChangedInput,
  clearedRecordFields,
  hashValues,
  loadPrefill,
  pickFilledValues,
} from './filled-values.ts'
import type { Form } from './form.ts'
import {
  ALTERNATIVES_PREFIX,
  ATTACHMENT_BLOCK,
  MORE_BLOCK,
  MOVED_WORDS_BLOCK,
  OFFER_BLOCK,
  PREVIEW_BLOCK,
  RECORD_BLOCK,
  UNFINISHED_BLOCK,
} from './form-blocks.ts'
import type { FormMetadata } from './form-metadata.ts'
import {
  enteredInput,
  type FormState,
  inputState,
  readFormState,
  readingContext,
  toInputState,
  toProjectState,
} from './form-state.ts'
import type { FormValues } from './form-value.ts'
import { formView } from './form-view.ts'
import { type MovedWords, toggleWords } from './moved-words.ts'
import {
  saveChange,
  saveFilledValues,
  saveFirstState,
  saveOpenForm,
  saveTypedText,
} from './open-form-store.ts'
import { showPreview } from './show-preview.ts'
import { restoreUnfinishedInput, toInputColumns } from './unfinished-form.ts'
import { latestHash, updateWhileTyping } from './update-while-typing.ts'

type FormAction = {
  bot: Bot
  actor: Actor
  view: ViewOutput
  input: ChangedInput & { type: string }
  action_ts: string
  trigger_id: string
}

/** Updates an open form after a change, and saves the input so far. */
export async function handleFormAction(form: Form, action: FormAction): Promise<void> {
  const { bot, actor, view, action_ts, input } = action
  const { client, team_id, user_id } = actor
  const state = readChangedState(form, view, input)
  const viewWithMessage = (message: string): ModalView => formView(form, { ...state, message })
  const explainBug = (error: unknown) => viewWithMessage(reportBug(bot, error))
  const isTyping = input.type === 'plain_text_input'
  try {
    const authorization = await authorizeChange(form, action, isTyping)
    if (authorization.kind !== 'allowed') {
      await updateModal(client, view, viewWithMessage(authorization.message))
      return
    }
    const { profile } = authorization
    if (input.block_id === PREVIEW_BLOCK) {
      const { metadata } = state
      const context = readingContext(profile, bot.runtime.now(), metadata)
      await showPreview(form, { ...action, metadata }, context)
      return
    }
    const saved_at = bot.runtime.now()
    const inputColumns = { ...toInputColumns(form, state, view), saved_at }
    const openForm = { view_id: view.id, team_id, user_id, action_ts, ...inputColumns }
    // Nothing in the form depends on this text.
    if (isTyping && !form.fields[input.block_id]?.updatesForm) {
      await saveTypedText(bot.db, openForm)
      return
    }
    const changed_ts = changesOtherInputs(form, input) ? action_ts : undefined
    // A second press of *Continue* must not replace the input that the first one moved here.
    await (input.block_id === UNFINISHED_BLOCK ? saveFirstState : saveOpenForm)(bot.db, openForm)
    if (changed_ts) await saveChange(bot.db, view.id, changed_ts)
    const change = { bot, actor, profile, view, input, action_ts, saved_at, changed_ts }
    const buildView = () => buildUpdatedView(form, state, change).catch(explainBug)
    if (isTyping) {
      // If the projects aren't loaded yet, this update loads them itself, so it may replace any version of the view.
      const key = { view_id: view.id, hash: state.projects && view.hash, action_ts }
      await updateWhileTyping(bot, client, key, buildView)
      return
    }
    const changedView = await buildView()
    // An update after earlier typing may still be running. It shows nothing that this view lacks.
    const typed = await bot.typingUpdates.get(view.id)
    await updateModal(client, { id: view.id, hash: latestHash(typed, view.hash) }, changedView)
    bot.typingUpdates.delete(view.id)
  } catch (error) {
    await updateModal(client, view, explainBug(error))
  }
}

/**
 * Unlike a choice in a field, whose value Slack reports, a press of a button or a pick takes effect only in the updated
 * form.
 */
const changesOtherInputs = ({ fields }: Form, { block_id, type }: FormAction['input']): boolean =>
  type !== 'plain_text_input' && (!fields[block_id] || fields[block_id].prefill !== undefined)

/** Typing doesn't count toward the action limit, unless the user isn't allowed to use the form. */
async function authorizeChange(form: Form, { bot, actor }: FormAction, isTyping: boolean) {
  const access = accessForModal(form.permission, form.title)
  if (isTyping) {
    const authorization = await authorize(bot, actor, access)
    if (authorization.kind === 'allowed') return authorization
  }
  return authorizeAction(bot, actor, { name: form.verb, access })
}

/** Applies a change to the form's state, without loading values that depend on it, because loading may fail. */
function readChangedState(form: Form, view: ViewOutput, { block_id }: ChangedInput): FormState {
  const state = readFormState(form, view)
  const { values, record } = state
  const metadata = { ...state.metadata }
  if (form.upload && enteredInput(view, form.upload.file).files?.length) metadata.missingFile = undefined
  if (block_id === ATTACHMENT_BLOCK)
    return {
      ...state,
      values: { ...values, ...clearedUploadFields(form) },
      metadata: { ...metadata, attachment: undefined },
    }
  if (block_id !== RECORD_BLOCK || !form.recordSelect?.fills) return { ...state, metadata }
  return {
    ...state,
    values: { ...values, ...clearedRecordFields(form.recordSelect, metadata, values) },
    metadata: {
      ...metadata,
      generation: (metadata.generation ?? 0) + 1,
      filledFrom: record?.value,
      filledHashes: withoutKeys(metadata.filledHashes, form.recordSelect.fills),
    },
  }
}

const withoutKeys = (hashes: Record<string, string> = {}, keys: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(hashes).filter(([name]) => !keys.includes(name)))

type FieldChange = AuthorizedActor & {
  view: ViewOutput
  input: ChangedInput
  action_ts: string
  saved_at: Date
  changed_ts: string | undefined
}

/** All calls for one change of a field together take at most this long. */
const LOAD_TIMEOUT_MS = 5000

/** Builds the new view of an open form after a change to a field, or a press of one of the form's buttons. */
async function buildUpdatedView(form: Form, state: FormState, change: FieldChange): Promise<ModalView> {
  const { bot, actor, profile, view, input, action_ts, saved_at, changed_ts } = change
  const deadline = addMs(bot.runtime.now(), LOAD_TIMEOUT_MS)
  const { metadata } = state
  const context = readingContext(profile, bot.runtime.now(), metadata)
  // The projects are loaded now if they couldn't be loaded when the form was opened.
  const choice = state.projects
    ? undefined
    : await chooseProject(
        bot,
        { ...actor, channel_id: metadata.channel },
        { project_id: metadata.opened?.project_id ?? metadata.project, deadline },
      )
  const projectState = choice ? toProjectState(choice, metadata) : state
  const project = projectState.project
  const isOtherProject = metadata.project !== undefined && project?.Id !== metadata.project
  // Records belong to a project, so another project clears the chosen record. Workspace members don't, so they stay.
  const record = isOtherProject && form.recordSelect?.search ? undefined : state.record
  const restored =
    input.block_id === UNFINISHED_BLOCK ? await restoreUnfinishedInput(form, change, state) : undefined
  const searchContext = { bot, actor, project_id: project?.Id ?? '', query: '', deadline }
  const prefill = (await loadPrefill(form, { ...state, record }, input, searchContext)) ?? { values: {} }
  const loadedValues = 'values' in prefill ? prefill.values : {}
  const chosen = chosenWords(metadata, input)
  const movedWords = input.block_id === MOVED_WORDS_BLOCK ? metadata.movedWords : chosen
  const movedValues = movedWords
    ? { [movedWords.field]: toggleWords(firstValue(state.values[movedWords.field]) ?? '', movedWords) }
    : undefined
  const replacements = {
    ...(input.block_id === OFFER_BLOCK && form.offer?.change(state.values)),
    ...movedValues,
    ...pickedValues(form, view, input, context),
  }
  const failures = [choice, prefill].flatMap((loaded) =>
    loaded && 'failure' in loaded ? [loaded.failure] : [],
  )
  const messages = [
    ...failures.map((failure) => reportFailure(change, failure, { isReadOnly: true })),
    ...truncationWarnings(form, loadedValues),
    restored?.message,
  ]
  const clearedUpload = input.block_id === ATTACHMENT_BLOCK ? clearedUploadFields(form) : undefined
  const changedValues = {
    ...clearedUpload,
    ...restored?.values,
    ...(isOtherProject && clearedProjectFields(form)),
    ...loadedValues,
    ...replacements,
  }
  const hasNewValues = isOtherProject || Object.keys(changedValues).length > 0
  const generation = (metadata.generation ?? 0) + (hasNewValues ? 1 : 0)
  const values = { ...state.values, ...changedValues }
  const completed = await completeProjectWords(form, {
    ...context,
    bot,
    actor,
    values,
    project_id: project?.Id,
    opened: metadata.opened,
    deadline,
  })
  const newValues: FormValues = { ...changedValues, ...completed.values }
  if (Object.keys(newValues).length) {
    const filled = { ...state, ...projectState, values: { ...values, ...completed.values } }
    const { form_values, project_id } = toInputColumns(form, filled, view)
    await saveFilledValues(bot.db, { view_id: view.id, action_ts, saved_at }, { form_values, project_id })
  }
  const inputOf = (name: string) =>
    name in newValues ? toInputState(newValues[name]) : inputState(view, name)
  return formView(form, {
    ...state,
    ...projectState,
    record,
    values,
    message: messages.filter(Boolean).join(' '),
    notes: {
      ...fieldNotes(form, inputOf, { ...context, bot, project_id: project?.Id }),
      ...problemNotes(completed),
    },
    metadata: {
      ...metadata,
      generation,
      ...(changed_ts && { changed_ts }),
      ...(input.block_id === MORE_BLOCK && { showsMore: true }),
      ...(restored && { unfinished: undefined, ...restored.metadata }),
      ...(chosen && { wordsToChoose: undefined }),
      filledHashes: {
        ...metadata.filledHashes,
        ...hashValues(pickFilledValues(form, restored?.values)),
        ...hashValues(loadedValues),
      },
      project: project?.Id,
      ...(movedWords && { movedWords: { ...movedWords, isInText: !movedWords.isInText } }),
    },
  })
}

const clearedUploadFields = ({ upload }: Form): FormValues =>
  upload ? { [upload.file]: undefined, [upload.link]: undefined, [upload.altText]: undefined } : {}

function clearedProjectFields({ fields }: Form): FormValues {
  const names = Object.keys(fields).filter((name) => fields[name]?.belongsToProject)
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

/** Returns the words that the user has chosen for a field. The caller takes them out of the text. */
function chosenWords(
  { wordsToChoose }: FormMetadata,
  { block_id, value }: ChangedInput,
): MovedWords | undefined {
  const isChoice = wordsToChoose && block_id === ALTERNATIVES_PREFIX + wordsToChoose.field
  return isChoice ? wordsToChoose.choices.find(({ words }) => words === value) : undefined
}

function pickedValues(
  { fields }: Form,
  view: ViewOutput,
  { block_id, ...input }: ChangedInput,
  context: ReadingContext,
): Record<string, string> | undefined {
  if (!block_id.startsWith(ALTERNATIVES_PREFIX)) return undefined
  const name = block_id.slice(ALTERNATIVES_PREFIX.length)
  const text = input.value ?? fields[name]?.picker?.toText(input, context, inputState(view, name))
  return text ? { [name]: text } : undefined
}
