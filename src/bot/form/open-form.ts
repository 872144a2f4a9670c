import type { Bot } from '../bot.ts'
import { reportFailure } from '../errors.ts'
import type { Request } from '../feature.ts'
import { escapeText } from '../message-blocks.ts'
import { chooseProject } from '../projects/projects.ts'
import type { Prefill } from './field.ts'
import { fieldNotes, truncationWarnings } from './field-notes.ts'
import type { Form } from './form.ts'
import { toInputState } from './form-state.ts'
import type { FormValues } from './form-value.ts'
import { type FormState, formView } from './form-view.ts'

type FormStart = {
  project_id?: string | undefined
  /** Loads values after the form has opened. */
  loadValues?: (bot: Bot) => Promise<Prefill>
  /** An earlier submission, to be corrected or changed. */
  draft?: { values: FormValues; errors: Record<string, string>; messages: string[]; replaces: string }
}

/** Opens a form with what is known at once, and adds what has to be loaded. */
export async function openForm(form: Form, request: Request, start: FormStart = {}): Promise<void> {
  const { bot, actor, profile, text, open } = request
  const { project_id, loadValues, draft } = start
  const { channel_id: channel, response_url } = actor
  const now = bot.runtime.now()
  const openContext = { zone: profile.zone, locale: profile.locale, now, channel }
  const initialValues = draft?.values ?? form.prefill(text, openContext)
  const metadata = { channel, response_url, replaces: draft?.replaces }
  const viewOf = (values: FormValues, state: Partial<FormState> = {}) =>
    formView(form, {
      values,
      metadata,
      errors: draft?.errors,
      notes: fieldNotes(form, (name) => toInputState(values[name]), { profile, now }),
      ...state,
    })
  const modal = await open(viewOf(initialValues))

  const [choice, prefill] = await Promise.all([chooseProject(bot, actor, { project_id }), loadValues?.(bot)])
  const loadedValues = prefill && 'values' in prefill ? prefill.values : {}
  const values = { ...initialValues, ...loadedValues }
  const failures = [choice, prefill].flatMap((loaded) =>
    loaded && 'failure' in loaded ? [loaded.failure] : [],
  )
  const notice = draft ? draft.messages : [form.notice?.(text, openContext) ?? '']
  const messages = [
    ...failures.map((failure) =>
      reportFailure(bot, { user_id: actor.user_id, profile, isRead: true }, failure),
    ),
    project_id && choice.kind === 'undecided' ? 'That project no longer exists.' : '',
    ...notice.map(escapeText),
    ...truncationWarnings(form, values),
  ]
  await modal.update(
    viewOf(values, {
      ...(choice.kind === 'failed'
        ? { projectsFailed: true }
        : { projects: choice.projects, project: choice.kind === 'chosen' ? choice.project : undefined }),
      message: messages.filter(Boolean).join(' '),
      metadata: { ...metadata, generation: Object.keys(loadedValues).length ? 1 : 0 },
    }),
  )
}
