import { isDeepStrictEqual } from 'node:util'
import type { ApiFailure } from '../../api/result.ts'
import { addMs } from '../../runtime.ts'
import { reportFailure } from '../slack/errors.ts'
import type { Request } from '../slack/feature.ts'
import { context as contextBlock, escapeText, messageView } from '../slack/message-blocks.ts'
import { accessForModal } from '../slack/permissions.ts'
import { chooseAmong, type ProjectChoice, resolveProject } from '../slack/projects.ts'
import type { SlackFile } from '../slack/slack-file.ts'
import {
  type CompletionResult,
  completeProjectWords,
  findSuggestions,
  hasWordsToComplete,
  needsCompletion,
  problemNotes,
} from './complete-words.ts'
import type { Prefill } from './field.ts'
import { fieldNotes, truncationWarnings } from './field-messages.ts'
import { firstValue } from './fields.ts'
import { hashValues } from './filled-values.ts'
import { type Form, type FormDefinition, type NoteContext, type OpenContext, toAttachment } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import { type FormState, readingContext, toInputState, toProjectState } from './form-state.ts'
import type { FormValues, OpenedRecord } from './form-value.ts'
import { formView } from './form-view.ts'
import { forgetChanges } from './open-form-store.ts'
import { offerUnfinishedForm } from './unfinished-form.ts'

/** A form is also a feature: its command opens it. */
export function defineForm<Body, Result, Opened extends OpenedRecord | undefined = undefined>(
  definition: FormDefinition<Body, Result, Opened>,
): Form {
  const { verb, title, permission, run, actions } = definition
  const access = accessForModal(permission, title)
  const form: Form = {
    // FormDefinition has checked names and types against the contract. From here on, all forms have the same type.
    ...(definition as unknown as Form),
    access: definition.access ?? access,
    run: run ?? ((request) => openDefinedForm(form, request)),
    actions: {
      ...(!run && {
        [`${verb}:open`]: {
          access,
          // The button's value may name a project.
          run: (request) => openDefinedForm(form, { ...request, text: '' }, request.text),
        },
      }),
      ...actions,
    },
  }
  return form
}

/** Opens a form for its command or button, with the project's current values if the form replaces them. */
async function openDefinedForm(form: Form, request: Request, project_id?: string): Promise<void> {
  if (!form.loadCurrentValues) return openForm(form, request, { project_id })
  const project = await resolveProject(request, project_id || undefined)
  if (!project) return
  const { Id } = project
  const { values, version: etag, messages = [] } = await form.loadCurrentValues(request, Id)
  const opened = { project_id: Id, record_id: Id, etag, seen_at: request.bot.runtime.now().toISOString() }
  await openForm(form, request, { project_id: Id, draft: { values, opened, messages } })
}

export type FormDraft = {
  values: FormValues
  errors?: Record<string, string>
  messages?: string[]
  file?: SlackFile | undefined
  /** Whether the user had asked to post in the channel. */
  notifyChannel?: boolean
} & Pick<FormMetadata, 'replaces' | 'opened' | 'about'>

type OpenFormOptions = {
  project_id?: string | undefined
  /** Values from a button, or text that was typed elsewhere. They replace prefilled values. */
  values?: FormValues
  loadValues?: () => Promise<Prefill>
  /** An earlier submission, or a project's current values, for the user to change. */
  draft?: FormDraft
}

/** Opens a form immediately with the data that is available, then adds the data that has to be loaded. */
export async function openForm(form: Form, request: Request, start: OpenFormOptions = {}): Promise<void> {
  const { bot, actor, profile, open } = request
  const { project_id, loadValues, draft } = start
  const context = {
    ...readingContext(profile, bot.runtime.now(), { opened: draft?.opened }),
    channel: actor.channel_id,
  }
  const cachedProjects = loadValues ? undefined : bot.projectList.recall()
  const initial = await prepareForm(form, request, start, context)
  const { values: initialValues, metadata } = initial
  const ids = { project_id, ...profile.defaultProjects }
  const buildFormView = (
    choice: ProjectChoice | undefined,
    state: Partial<FormState>,
    failures: ApiFailure[],
    completed: CompletionResult = NOT_COMPLETED,
  ) => {
    const values = state.values ?? initialValues
    const chosen_id = projectIdOf(choice)
    const isMissing = project_id && choice?.kind === 'undecided'
    const messages = [
      ...failures.map((failure) => reportFailure(request, failure, { isReadOnly: true })),
      isMissing ? 'That project no longer exists, or Upnext has no access to it.' : '',
      ...initial.messages.map(escapeText),
      ...truncationWarnings(form, values),
    ]
    return formView(form, {
      metadata,
      values,
      errors: draft?.errors,
      ...(draft?.notifyChannel && { notifyChannel: true }),
      notes: notesFor(form, values, { ...context, bot, project_id: chosen_id }, completed),
      message: messages.filter(Boolean).join(' '),
      ...(choice && toProjectState(choice, metadata)),
      ...state,
    })
  }
  const cachedChoice = cachedProjects && chooseAmong(cachedProjects, ids)
  // A project that isn't in the remembered list may be new, so the list is loaded again.
  const choice = project_id && cachedChoice?.kind === 'undecided' ? undefined : cachedChoice
  // Loaded values would replace the user's input, so the fields appear only once the values are loaded.
  const firstView = loadValues
    ? messageView(form.title, contextBlock('One moment…'))
    : buildFormView(choice, { isNew: true }, [])
  const modal = await open(firstView)
  // The view may have shown another form before.
  if (request.origin === 'modal') await forgetChanges(bot.db, modal.id)

  const loading = project_id && !choice ? bot.projectList.load() : bot.projectList.findCurrent()
  const [list, prefill = { values: {} }] = await Promise.all([loading, loadValues?.()])
  const loadedChoice: ProjectChoice =
    'failure' in list ? { kind: 'failed', ...list } : chooseAmong(list.projects, ids)
  const isUnchanged = loadedChoice.kind === 'failed' || isDeepStrictEqual(loadedChoice, choice)
  if (choice && isUnchanged && !hasWordsToComplete(form, initialValues)) return
  const failures = [loadedChoice, prefill].flatMap((loaded) => ('failure' in loaded ? [loaded.failure] : []))
  const values = { ...initialValues, ...('values' in prefill && prefill.values) }
  const completed = await completeProjectWords(form, {
    ...context,
    bot,
    actor,
    values,
    project_id: projectIdOf(loadedChoice),
    opened: draft?.opened,
    deadline: addMs(bot.runtime.now(), COMPLETION_TIMEOUT_MS),
  })
  const filledHashes = 'values' in prefill ? hashValues(prefill.values) : {}
  const loaded = { values, isNew: Boolean(loadValues), metadata: { ...metadata, filledHashes } }
  await modal.update(buildFormView(loadedChoice, loaded, failures, completed))
}

const COMPLETION_TIMEOUT_MS = 5000
const NOT_COMPLETED: CompletionResult = { values: {}, problems: {} }

const projectIdOf = (choice: ProjectChoice | undefined): string | undefined =>
  choice?.kind === 'chosen' ? choice.project.Id : undefined

function notesFor(form: Form, values: FormValues, context: NoteContext, completed: CompletionResult) {
  const inputOf = (name: string) => {
    const field = form.fields[name]
    // Until the words are completed, the field can't read them.
    const isIncomplete = field && needsCompletion(field, firstValue(values[name]))
    return toInputState(isIncomplete ? completed.values[name] : values[name])
  }
  return { ...fieldNotes(form, inputOf, context), ...problemNotes(completed) }
}

type PrefillResult = ReturnType<NonNullable<Form['prefill']>>

/** Prepares the form's initial values, messages and metadata. */
async function prepareForm(
  form: Form,
  request: Request,
  { project_id, values: presetValues, draft }: OpenFormOptions,
  context: OpenContext,
): Promise<{ values: FormValues; messages: string[]; metadata: FormMetadata }> {
  const { bot, actor, text } = request
  const start: PrefillResult = draft ?? form.prefill?.(text, context) ?? { values: {} }
  const { values: prefilled, messages = [], movedWords, wordsToChoose } = start
  const values = { ...prefilled, ...presetValues }
  const defaults = draft ? {} : await form.loadDefaults?.(request, values)
  const opened = draft?.opened
  const [upload, unavailable, suggestions, unfinished] = await Promise.all([
    loadUpload(form, request, { values, file: draft?.file, opened }),
    form.unavailableOptions?.(request, { values: { ...values, ...defaults }, opened }),
    findSuggestions(form, bot, actor),
    form.creation && !draft && !text.trim() ? offerUnfinishedForm(form, request) : undefined,
  ])
  const metadata = {
    project: project_id,
    channel: actor.channel_id,
    response_url: actor.response_url,
    origin: request.origin,
    replaces: draft?.replaces,
    opened,
    about: draft?.about,
    unavailable,
    unavailableFields: {
      ...Object.fromEntries(form.hiddenFields?.(bot).map((name) => [name, '']) ?? []),
      ...form.unavailableFields?.(request),
      ...upload.unavailableFields,
    },
    attachment: upload.attachment,
    suggestions,
    movedWords,
    wordsToChoose,
    unfinished,
  }
  const own = { ...values, ...defaults }
  const additions = Object.entries(upload.values ?? {}).filter(([name]) => !firstValue(own[name]))
  return { values: { ...own, ...Object.fromEntries(additions) }, messages, metadata }
}

type EarlierUpload = { values: FormValues; file: SlackFile | undefined; opened: OpenedRecord | undefined }

type LoadedUpload = Pick<FormMetadata, 'attachment' | 'unavailableFields'> & { values?: FormValues }

/** Loads the file that the form starts with: an earlier upload, a file to be sent again, or the file of a message. */
async function loadUpload(
  { upload }: Form,
  request: Request,
  { values, file, opened }: EarlierUpload,
): Promise<LoadedUpload> {
  if (!upload) return {}
  const { bot, actor, messageFiles } = request
  const uploaded = await upload.findUploaded(bot, actor, values, opened)
  if (uploaded) return uploaded
  const explanation = upload.explainUnavailable(bot, actor)
  // A description that the record has must be visible, because saving the form without it would clear it.
  const hiddenAltText = firstValue(values[upload.altText]) ? {} : { [upload.altText]: '' }
  if (explanation) return { unavailableFields: { [upload.file]: explanation, ...hiddenAltText } }
  const initialFile = file ?? messageFiles.find(isMedia) ?? messageFiles[0]
  if (!initialFile) return {}
  const count = messageFiles.length
  const note = !file && count > 1 ? `, one of the message's ${count} files` : ''
  return { attachment: toAttachment(upload.file, initialFile, note) }
}

/** A message's files may also include documents. */
const isMedia = ({ content_type }: SlackFile): boolean => /^(?:image|video)\//.test(content_type)
