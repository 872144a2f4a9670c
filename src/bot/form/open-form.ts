import { reportFailure } from '../errors.ts'
import type { Request } from '../feature.ts'
import { context as contextBlock, escapeText } from '../message-blocks.ts'
import { accessForModal } from '../permissions.ts'
import { chooseProject } from '../projects/projects.ts'
import type { Prefill } from './field.ts'
import { fieldNotes, truncationWarnings } from './field-messages.ts'
import { describeFile, type Form, type FormDefinition } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import { type FormState, toInputState, toProjectState } from './form-state.ts'
import type { FormValues, SlackFile } from './form-value.ts'
import { formView, messageView } from './form-view.ts'
import { findUnfinishedForm } from './open-form-store.ts'

/** A form is a feature, too: its command opens it. */
export function defineForm<Body, Result>(definition: FormDefinition<Body, Result>): Form {
  const { verb, title, permission, actions } = definition
  const access = accessForModal(permission, title)
  const form: Form = {
    // FormDefinition has checked names and types against the contract. The engine treats all forms alike.
    ...(definition as unknown as Form),
    access,
    run: (request) => openForm(form, request),
    actions: {
      [`${verb}:open`]: {
        access,
        // The button's value may name a project.
        run: (request) => openForm(form, { ...request, text: '' }, { project_id: request.text }),
      },
      ...actions,
    },
  }
  return form
}

type EarlierInput = {
  values: FormValues
  errors?: Record<string, string>
  messages?: string[]
  file?: SlackFile | undefined
} & Pick<FormMetadata, 'replaces' | 'openedPost' | 'about'>

type FormStart = {
  project_id?: string
  loadValues?: () => Promise<Prefill>
  /** An earlier submission, to be corrected or changed. */
  draft?: EarlierInput
}

/** Opens a form at once with what is known, then adds what has to be loaded. */
export async function openForm(form: Form, request: Request, start: FormStart = {}): Promise<void> {
  const { bot, actor, profile, text, open } = request
  const { project_id, loadValues, draft } = start
  const { channel_id: channel, response_url } = actor
  const context = { ...profile, now: bot.runtime.now(), channel }
  const prefilledValues = form.prefill?.(text, context) ?? {}
  const enteredValues = draft?.values ?? {
    ...prefilledValues,
    ...(await form.loadDefaults?.(request, prefilledValues)),
  }
  const upload = await loadUpload(form, request, { values: enteredValues, file: draft?.file })
  const initialValues = { ...enteredValues, ...upload.values }
  const movedWords = draft ? undefined : form.movedWords?.(text, context)
  const unfinished =
    form.creation && !draft && !text.trim()
      ? await findUnfinishedForm(bot.db, actor, form.verb, bot.runtime.now())
      : undefined
  const metadata = {
    channel,
    response_url,
    isInConfirmation: request.isInConfirmation || undefined,
    replaces: draft?.replaces,
    openedPost: draft?.openedPost,
    about: draft?.about,
    unavailable: form.unavailableOptions?.(bot, draft?.openedPost),
    unavailableFields: upload.unavailableFields,
    attachment: upload.attachment,
    movedWords,
    unfinished: unfinished?.view_id,
  }
  const viewOf = (state: Partial<FormState> & { values: FormValues }) => {
    const notes = fieldNotes(form, (name) => toInputState(state.values[name]), context)
    return formView(form, { metadata, errors: draft?.errors, notes, ...state })
  }
  // What is entered while values are loaded could be lost.
  const firstView = loadValues
    ? messageView(form.title, contextBlock('One moment…'))
    : viewOf({ values: initialValues, isNew: true })
  const modal = await open(firstView)

  const [choice, prefill = { values: {} }] = await Promise.all([
    chooseProject(bot, actor, { project_id }),
    loadValues?.(),
  ])
  const loadedValues = 'values' in prefill ? prefill.values : {}
  const values = { ...initialValues, ...loadedValues }
  const failures = [choice, prefill].flatMap((loaded) => ('failure' in loaded ? [loaded.failure] : []))
  const messages = [
    ...failures.map((failure) => reportFailure(request, failure, { isReadOnly: true })),
    project_id && choice.kind === 'undecided' ? 'That project no longer exists.' : '',
    ...(draft?.messages ?? []).map(escapeText),
    ...truncationWarnings(form, values),
  ]
  await modal.update(
    viewOf({
      ...toProjectState(choice, metadata),
      values,
      message: messages.filter(Boolean).join(' '),
    }),
  )
}

type EarlierUpload = { values: FormValues; file: SlackFile | undefined }

type LoadedUpload = Pick<FormMetadata, 'attachment' | 'unavailableFields'> & { values?: FormValues }

/** The file that the form starts with: one that was uploaded before, one to be sent again, or that of a message. */
async function loadUpload(
  { upload }: Form,
  request: Request,
  { values, file }: EarlierUpload,
): Promise<LoadedUpload> {
  if (!upload) return {}
  const { bot, actor, messageFile } = request
  const uploaded = await upload.findUploaded(bot, actor, values)
  if (uploaded) return uploaded
  const explanation = upload.explainUnavailable(bot, actor)
  if (explanation) return { unavailableFields: { [upload.file]: explanation, [upload.altText]: '' } }
  const given = file ?? messageFile
  if (!given) return {}
  return { attachment: { field: upload.file, input: { files: [given] }, description: describeFile(given) } }
}
