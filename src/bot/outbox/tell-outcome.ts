import type { OutboxItem } from '../../store/tables.ts'
import { findPerson, type Person } from '../asker.ts'
import type { Form } from '../form/form.ts'
import { newsOf } from '../form/submit-form.ts'
import { publishHome } from '../home/home.ts'
import { buttons, context, escaped, type Reply, section } from '../reply.ts'
import { tellNews, tellPerson } from '../tell.ts'
import { explain } from '../trouble.ts'
import { buttonsFor, failureOf, faultsOf, projectOf, summaryOf } from './item.ts'
import type { Working } from './work.ts'

/** Tells the person, where they asked, what became of something that took longer than its form. */
export async function tellOutcome({ bot, client }: Working, form: Form, item: OutboxItem): Promise<void> {
  const { team_id, user_id, channel_id } = item
  const channel = channel_id ?? undefined
  const asker = { team_id, user_id, channel_id: channel, client }
  const person = await findPerson(bot, asker)
  const place = { user: user_id, channel }
  const way = { client, fetch: bot.runtime.fetch }
  if (item.state !== 'settled') return tellPerson(way, place, howItStands(form, item, person))
  const project = projectOf(item)
  await form.keep?.(item.data, { bot, asker, project })
  const reader = { zone: person.zone, now: bot.runtime.now(), project }
  const { reply, ...news } = newsOf(form, item.data, reader, {
    teller: item.is_telling ? user_id : undefined,
  })
  const late = context('It took a while, and went through.')
  await tellNews(way, place, { ...news, reply: { ...reply, blocks: [late, ...(reply.blocks ?? [])] } })
}

/** The person has been told: what the Home makes of it is no reason to tell them again. */
export const showOnHome = ({ bot, client }: Working, { team_id, user_id }: OutboxItem): Promise<void> =>
  publishHome(bot, { team_id, user_id, channel_id: undefined, client }).catch((err) =>
    bot.log.warn({ err }, 'a Home could not be published'),
  )

/** An item that has not come to a good end yet: what it is, what happened, and what can be done. */
export function howItStands(form: Form, item: OutboxItem, person: Person): Reply {
  const what = `*${form.title}* in ${escaped(item.project_name)}`
  const say = `${what}: ${wordsFor(item, person)}`
  const { faults, top } = faultsOf(form, item)
  const named = Object.entries(faults).map(([name, fault]) => `${form.fields[name]?.label ?? name}: ${fault}`)
  const wrong = [...named, ...top].map((line) => `• ${escaped(line)}`).join('\n')
  return {
    text: say,
    blocks: [
      section(`${say}${wrong && `\n${wrong}`}`),
      context(summaryOf(form, item)),
      ...buttons(...buttonsFor(item)),
    ],
  }
}

function wordsFor(item: OutboxItem, person: Person): string {
  const { state, is_asked } = item
  const failure = failureOf(item)
  const { happened, todo = '' } = failure ? explain(failure, person) : { happened: '' }
  if (is_asked)
    return ':question: it was sent off, and no clear answer came. Whether it is there cannot be seen from here: please look.'
  switch (state) {
    case 'settled':
      return ':white_check_mark: it went through.'
    case 'refused':
      return `:warning: ${[happened, failure?.kind !== 'invalid' && todo].filter(Boolean).join(' ')}`
    case 'given up':
      return `:warning: it could not be sent for a day, and is not tried any more. ${happened}`
    case 'waiting':
      return `:hourglass: it goes out as soon as it can. ${happened}`
    case 'unclear':
      return `:hourglass: it was sent off; whether it is there is looked up. ${happened}`
  }
}
