import { findPerson, refusalFor } from '../asker.ts'
import type { Bot } from '../bot.ts'
import type { Request } from '../feature.ts'
import { chooseProject } from '../projects.ts'
import { escaped, section } from '../reply.ts'
import { report } from '../trouble.ts'
import type { Initial } from './field.ts'
import type { Form } from './form.ts'
import { formView } from './form-view.ts'
import { notesFor, untouched } from './notes.ts'

type Beginning = {
  /** What the fields begin with, where that has to be looked up first. */
  fill?: (bot: Bot) => Promise<Record<string, Initial>>
  /** What was filled in once already, what was wrong with it, and what it takes the place of. */
  again?: {
    entries: Record<string, Initial>
    faults: Record<string, string>
    top: string[]
    replaces: string
  }
}

/** Opens a form with what is known at once, and fills in the rest when it has come. */
export async function openForm(
  form: Form,
  { bot, asker, words, open, reply }: Request,
  { fill = async () => ({}), again }: Beginning = {},
): Promise<void> {
  const person = await findPerson(bot, asker)
  const refusal = refusalFor(bot, person, form.right)
  if (refusal) return reply({ text: refusal, blocks: [section(refusal)] })
  const reader = { zone: person.zone, locale: person.locale, now: bot.world.now() }
  const initial = again?.entries ?? form.initial(words, reader)
  const along = { channel: asker.channel_id, ...(again && { replaces: again.replaces }) }
  const notesWith = (values: Record<string, Initial>) =>
    notesFor(form, (name) => untouched(values[name]), { person, now: reader.now })
  const opened = await open(
    formView(form, { initial, along, faults: again?.faults, notes: notesWith(initial) }),
  )
  const [chosen, filled] = await Promise.all([chooseProject(bot, asker), fill(bot)])
  const found =
    'failure' in chosen
      ? { top: report(bot, { asker, person }, chosen.failure), isLost: true }
      : 'project' in chosen
        ? chosen
        : { projects: chosen.unsure }
  const generation = Object.keys(filled).length ? 1 : 0
  const values = { ...initial, ...filled }
  const top = ['top' in found ? found.top : [], again?.top.map(escaped) ?? [], cutIn(form, values)]
  await opened.update(
    formView(form, {
      ...found,
      top: top.flat().join(' '),
      faults: again?.faults,
      along: { ...along, generation },
      initial: values,
      notes: notesWith(values),
    }),
  )
}

/** What is longer than its field is cut, and said to be: nobody is to find out on the day it is published. */
const cutIn = ({ fields }: Form, values: Record<string, Initial>): string[] =>
  Object.entries(fields).flatMap(([name, { label, most = Number.POSITIVE_INFINITY }]) => {
    const value = values[name]
    const left = typeof value === 'string' ? value.length - most : 0
    return left > 0
      ? [
          `${label} holds ${most} characters: the last ${left} of what was given did not fit, and are not here.`,
        ]
      : []
  })
