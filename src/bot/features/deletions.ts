import type { KnownBlock } from '@slack/types'
import type { Outcome } from '../../api/outcome.ts'
import { findPerson, refusalFor } from '../asker.ts'
import type { Bot } from '../bot.ts'
import type { Feature, Request } from '../feature.ts'
import type { KnownProject } from '../projects.ts'
import { escaped, plain, said, section } from '../reply.ts'
import { replyFailure } from '../trouble.ts'
import { withProject } from '../with-project.ts'

type Deletion<Of> = {
  verb: string
  help: string
  /** Finds what it is of, or says why not; a press of the button has named it. */
  within: (request: Request, then: (of: Of) => Promise<void>, id?: string) => Promise<void>
  idOf: (of: Of) => string
  /** What goes, by name. */
  what: (of: Of) => string
  remove: (bot: Bot, of: Of) => Promise<Outcome>
  /** Where there is nothing to remove. */
  nothing: (of: Of) => string
}

/** Something that cannot be undone: asked about first, and by those alone who may. */
function deletion<Of>({ verb, help, within, idOf, what, remove, nothing }: Deletion<Of>): Feature {
  const action_id = `${verb}:delete`
  return {
    verb,
    usage: '',
    help,
    run: async (request) => {
      if (await isRefused(request)) return
      await within(request, async (of) => {
        const text = `This deletes ${what(of)}. It cannot be undone.`
        const blocks = [section(escaped(text)), question(action_id, idOf(of), text)]
        await request.reply({ text: escaped(text), blocks })
      })
    },
    actions: {
      [action_id]: async (asked) => {
        // In the place of the question, so that it is answered once.
        const request = { ...asked, reply: asked.replace }
        // Asked again: who may not may have been given the button.
        if (await isRefused(request)) return
        await within(
          request,
          async (of) => {
            const outcome = await remove(request.bot, of)
            if (outcome.kind === 'ok')
              return request.reply(said(escaped(capitalised(`${what(of)} is deleted.`))))
            if (outcome.kind === 'not-found') return request.reply(said(escaped(nothing(of))))
            return replyFailure(request, outcome, { isLooking: false })
          },
          request.words,
        )
      },
    },
  }
}

async function isRefused({ bot, asker, reply }: Request): Promise<boolean> {
  const person = await findPerson(bot, asker, { isAfresh: true })
  const refusal = refusalFor(bot, person, 'administer')
  if (refusal) await reply(said(refusal))
  return refusal !== undefined
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const question = (action_id: string, value: string, text: string): KnownBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id,
      style: 'danger',
      text: plain('Delete'),
      value,
      confirm: {
        title: plain('Delete it?'),
        text: plain(text.slice(0, 300)),
        confirm: plain('Delete'),
        deny: plain('Keep it'),
        style: 'danger',
      },
    },
  ],
})

export const deleteWebhook = deletion<KnownProject>({
  verb: 'webhook',
  help: "Deletes the project's webhook, after asking. For owners and admins.",
  within: (request, then, id) => withProject(request, ({ project }) => then(project), id),
  idOf: ({ Id }) => Id,
  what: ({ Name }) => `the webhook of ${Name}`,
  nothing: ({ Name }) => `${Name} has no webhook.`,
  remove: ({ api }, { Id }) =>
    api.DELETE('/api/v1/projects/{project_id}/webhook', { params: { path: { project_id: Id } } }),
})

export const deleteFile = deletion<null>({
  verb: 'file',
  help: "Deletes the file that the bot's token has staged, after asking. For owners and admins.",
  // It is the token's, and of no project.
  within: (_request, then) => then(null),
  idOf: () => 'file',
  what: () => 'the staged file',
  nothing: () => 'There is no staged file.',
  remove: ({ api }) => api.DELETE('/api/v1/common/file'),
})
