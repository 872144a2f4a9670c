import { findPerson, refusalFor } from '../asker.ts'
import type { Request } from '../feature.ts'
import { chooseProject } from '../projects.ts'
import { section } from '../reply.ts'
import type { Form } from './form.ts'
import { formView } from './form-view.ts'

/** Opens a form with what is known at once, and fills in the projects when they have come. */
export async function openForm(form: Form, { bot, asker, words, open, reply }: Request): Promise<void> {
  const person = await findPerson(bot, asker)
  const refusal = refusalFor(bot, person, form.right)
  if (refusal) return reply({ text: refusal, blocks: [section(refusal)] })
  const reader = { zone: person.zone, locale: person.locale, now: bot.world.now() }
  const filled = { initial: form.initial(words, reader), along: { channel: asker.channel_id } }
  const opened = await open(formView(form, filled))
  const chosen = await chooseProject(bot, asker)
  const found =
    'trouble' in chosen
      ? { top: chosen.trouble.say }
      : 'project' in chosen
        ? chosen
        : { projects: chosen.unsure }
  // With the hash of what was opened: who has sent it off meanwhile is not to see it come back.
  await opened.update(formView(form, { ...filled, ...found }))
}
