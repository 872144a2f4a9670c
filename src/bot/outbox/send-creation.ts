import { acceptItem, freeItem } from '../../store/outbox.ts'
import type { OutboxItem } from '../../store/tables.ts'
import type { Form } from '../form/form.ts'
import { messageView } from '../form/form-view.ts'
import { type Complete, refused, type Submitted, succeeded } from '../form/submit-form.ts'
import { isTelling, standingIn } from '../form/view-state.ts'
import { context, section } from '../reply.ts'
import { type Failure, report } from '../trouble.ts'
import { bodyOf } from './item.ts'
import { verdict } from './verdict.ts'
import { conclude } from './work.ts'

/** What makes something anew is kept first, and then sent; what is not clear in the form's time goes on without it. */
export async function sendCreation(form: Form, complete: Complete): Promise<Submitted> {
  const { bot, asker, view, along, project, scene, body, leftMs, again } = complete
  const acceptance = await acceptItem(
    bot.db,
    {
      id: bot.runtime.newId(),
      view_id: view.id,
      team_id: asker.team_id,
      user_id: asker.user_id,
      channel_id: along.channel ?? null,
      verb: form.verb,
      project_id: project.Id,
      project_name: project.Name,
      is_telling: isTelling(view),
      entries: standingIn(form, view),
      body,
      replaces: along.replaces,
    },
    bot.runtime.now(),
  )
  switch (acceptance.kind) {
    case 'too late':
      return again('What this was to take the place of has gone out meanwhile. `/upnext outbox` shows it.')
    case 'known':
      return answerAgain(form, complete, acceptance.item)
    case 'behind':
      return saved(form, 'It is kept, and goes out as soon as what you sent off before it has.')
  }
  const { item } = acceptance
  const outcome = await form.send(body, {
    bot,
    api: bot.api,
    asker,
    project,
    deadlineMs: leftMs(),
    picked: '',
  })
  const called_at = item.called_at ?? scene.now
  const decided = verdict(outcome, {
    now: bot.runtime.now(),
    called_at,
    tries: 1,
    random: bot.runtime.random,
  })
  const written =
    decided.kind === 'refused'
      ? freeItem(bot.db, item)
      : conclude(bot, form, item, decided, { isUntold: false })
  // Where it cannot be written down now, the outbox looks for it later.
  await written.catch((err) => bot.log.error({ err }, 'what became of an item could not be written down'))
  if (decided.kind === 'settled') return succeeded(form, complete, decided.data)
  if (decided.kind === 'refused') return refused(form, complete, decided.failure)
  return saved(form, keptAfter(complete, decided.failure))
}

function keptAfter({ bot, asker, scene: { person } }: Complete, failure: Failure): string {
  const kept = 'It is kept: the bot sees to it that it is there once, and tells you.'
  return report(bot, { asker, person, kept, isTakenCareOf: true }, failure)
}

/** A double click, or an answer that did not reach Slack: of one form, one is sent off. */
function answerAgain(form: Form, { body, again }: Complete, item: OutboxItem): Submitted {
  if (JSON.stringify(sorted(bodyOf(item))) !== JSON.stringify(sorted(body)))
    return again(
      'This form was sent off already, as it was then: `/upnext outbox` shows it. To send this too, open a new one.',
    )
  return item.state === 'settled' ? { answer: undefined } : saved(form, 'It is kept already, and on its way.')
}

/** The database keeps no order of keys. */
const sorted = (body: Record<string, unknown>) =>
  Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1))

/** In the form's place: nothing more can be done in it. */
const saved = (form: Form, say: string): Submitted => ({
  answer: {
    response_action: 'update',
    view: messageView(
      form,
      section(`:hourglass: *Saved, and on its way.* ${say}`),
      context('You get a message when it is through. `/upnext outbox` shows what is on its way.'),
    ),
  },
})
