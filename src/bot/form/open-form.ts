import { setTimeout as sleep } from 'node:timers/promises'
import { findPerson, type Person, refusalFor } from '../asker.ts'
import type { Bot } from '../bot.ts'
import type { Request } from '../feature.ts'
import { chooseProject, findProject } from '../projects.ts'
import { context, escaped, said } from '../reply.ts'
import { type Failure, report } from '../trouble.ts'
import { cutIn } from './cut-in.ts'
import type { Filling, Initial } from './field.ts'
import type { Form } from './form.ts'
import { formView, messageView } from './form-view.ts'
import { notesFor, untouched } from './notes.ts'

type Beginning = {
  /** The project of what it begins with. */
  project_id?: string
  /** What the fields begin with, where that has to be looked up first. */
  fill?: (bot: Bot) => Promise<Filling>
  /** What was filled in once already, what was wrong with it, and what it takes the place of. */
  again?: {
    entries: Record<string, Initial>
    faults: Record<string, string>
    top: string[]
    replaces: string
  }
}

/** Slack lets a form be opened for three seconds: whoever asks is not known sooner, waits in it. */
const SOON_MS = 1000

/** Opens a form with what is known at once, and fills in the rest when it has come. */
export async function openForm(form: Form, request: Request, beginning: Beginning = {}): Promise<void> {
  const { bot, asker, words, open, reply } = request
  const asking = findPerson(bot, asker)
  const soon = await Promise.race([asking, sleep(SOON_MS, undefined, { ref: false })])
  const waiting = soon ? undefined : await open(messageView(form, context('One moment…')))
  const person = await asking
  const refusal = refusalFor(bot, person, form.right)
  if (refusal)
    return waiting ? waiting.update(messageView(form, ...(said(refusal).blocks ?? []))) : reply(said(refusal))

  const { project_id, fill, again } = beginning
  const { channel_id: channel, response_url } = asker
  const opening = { zone: person.zone, locale: person.locale, now: bot.runtime.now(), channel }
  const initial = again?.entries ?? form.initial(words, opening)
  const along = { channel, response_url, ...(again && { replaces: again.replaces }) }
  const view = (values: Record<string, Initial>, filled: Partial<Parameters<typeof formView>[1]> = {}) =>
    formView(form, {
      initial: values,
      along,
      faults: again?.faults,
      notes: notesFor(form, (name) => untouched(values[name]), { person, now: opening.now }),
      ...filled,
    })
  const opened = waiting ?? (await open(view(initial)))
  const [chosen, filling] = await Promise.all([
    project_id ? findProject(bot, project_id) : chooseProject(bot, asker),
    fill?.(bot),
  ])
  const fetched = filling && 'values' in filling ? filling.values : {}
  const values = { ...initial, ...fetched }
  const top = [
    troublesIn(request, person, [chosen, filling]),
    'gone' in chosen ? 'That project is not there any more.' : [],
    (again?.top ?? []).map(escaped),
    again ? [] : escaped(form.remark?.(words, opening) ?? ''),
    cutIn(form, values),
  ]
  await opened.update(
    view(values, {
      ...('project' in chosen ? chosen : 'unsure' in chosen ? { projects: chosen.unsure } : { isLost: true }),
      top: top.flat().filter(Boolean).join(' '),
      along: { ...along, generation: Object.keys(fetched).length ? 1 : 0 },
    }),
  )
}

const troublesIn = ({ bot, asker }: Request, person: Person, fetched: (object | undefined)[]): string[] =>
  fetched.flatMap((one) =>
    one && 'failure' in one ? [report(bot, { asker, person, isLooking: true }, one.failure as Failure)] : [],
  )
