import { findItem, listItems, removeItem, retryItem } from '../../store/outbox-of-person.ts'
import type { OutboxItem } from '../../store/tables.ts'
import { findPerson } from '../asker.ts'
import type { Feature, Request } from '../feature.ts'
import { openForm } from '../form/open-form.ts'
import { entriesOf, faultsOf } from '../outbox/item.ts'
import { howItStands } from '../outbox/tell-outcome.ts'
import { type Reply, section } from '../reply.ts'
import { createPrompt } from './create-prompt.ts'
import { inviteUser } from './invite-user.ts'
import { schedulePost } from './schedule-post.ts'

/** What makes something anew, and so goes through the outbox. */
const forms = [schedulePost, inviteUser, createPrompt]

const MOST = 10

export const outbox: Feature = {
  verb: 'outbox',
  usage: '',
  help: 'Shows what you sent off, what is on its way and what could not be sent, to try again, edit or discard.',
  run: showOutbox,
  actions: {
    'outbox:retry': (request) =>
      withItem(request, async (item) => {
        const isOurs = await retryItem(request.bot.db, item, request.bot.runtime.now())
        return isOurs ? 'It goes out now.' : MEANWHILE
      }),
    'outbox:discard': (request) =>
      withItem(request, async (item) =>
        (await removeItem(request.bot.db, item)) ? 'It is not in your outbox any more.' : MEANWHILE,
      ),
    'outbox:edit': editItem,
  },
}

const MEANWHILE = 'It went on meanwhile. `/upnext outbox` shows how it stands.'

async function showOutbox({ bot, asker, reply }: Request): Promise<void> {
  const [items, person] = await Promise.all([listItems(bot.db, asker, MOST), findPerson(bot, asker)])
  if (!items.length) {
    const text = 'There is nothing in your outbox.'
    return reply({ text, blocks: [section(text)] })
  }
  const shown = items.flatMap((item) => {
    const form = forms.find(({ verb }) => verb === item.verb)
    return form ? (howItStands(form, item, person).blocks ?? []) : []
  })
  await reply({ text: 'Your outbox', blocks: [section('*Your outbox*'), ...shown] })
}

const say = (text: string): Reply => ({ text, blocks: [section(text)] })

async function withItem(request: Request, then: (item: OutboxItem) => Promise<string>): Promise<void> {
  const { bot, asker, words, replace } = request
  const item = await findItem(bot.db, { ...asker, id: words })
  await replace(say(item ? await then(item) : 'That is not in your outbox any more.'))
}

/** Opens the form as it was sent off; the new one takes the place of the item. */
async function editItem(request: Request): Promise<void> {
  const { bot, asker, words, reply } = request
  const item = await findItem(bot.db, { ...asker, id: words })
  const form = forms.find(({ verb }) => verb === item?.verb)
  if (!item || !form || !item.entries) return reply(say('That is not in your outbox any more.'))
  await openForm(
    form,
    { ...request, words: '', asker: { ...asker, channel_id: item.channel_id ?? asker.channel_id } },
    { again: { entries: entriesOf(item), ...faultsOf(form, item), replaces: item.id } },
  )
}
