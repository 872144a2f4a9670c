import type { KnownBlock } from '@slack/types'
import type { Outcome } from '../../api/outcome.ts'
import { findPerson, refusalFor } from '../asker.ts'
import type { Bot } from '../bot.ts'
import type { Feature, Request } from '../feature.ts'
import type { KnownProject } from '../projects.ts'
import { escaped, section } from '../reply.ts'
import { withProject } from '../with-project.ts'

type Deletion = {
  verb: string
  help: string
  /** What goes, by name. */
  what: (project: KnownProject) => string
  remove: (bot: Bot, project: KnownProject) => Promise<Outcome>
  /** Where there is nothing to remove. */
  nothing: (project: KnownProject) => string
}

/** Something that cannot be undone: asked about first, and by those alone who may. */
function deletion({ verb, help, what, remove, nothing }: Deletion): Feature {
  const action_id = `${verb}:delete`
  const guarded = (request: Request, then: () => Promise<void>) =>
    findPerson(request.bot, request.asker, { isAfresh: true }).then((person) => {
      const refusal = refusalFor(request.bot, person, 'administer')
      return refusal ? say(request, refusal) : then()
    })
  return {
    verb,
    usage: '',
    help,
    run: (request) =>
      guarded(request, () =>
        withProject(request, async ({ project }) => {
          const gone = what(project)
          const text = `This deletes ${gone}. It cannot be undone.`
          return request.reply({ text, blocks: [section(text), question(action_id, project, gone)] })
        }),
      ),
    actions: {
      [action_id]: (asked) => {
        // In the place of the question, so that it is answered once.
        const request = { ...asked, reply: asked.replace }
        // Asked again: who may not may have been given the button.
        return guarded(request, () =>
          withProject(request, async ({ project: present, fail, projects }) => {
            const project = projects.find(({ Id }) => Id === request.words) ?? present
            const outcome = await remove(request.bot, project)
            if (outcome.kind === 'not-found') return say(request, nothing(project))
            return outcome.kind === 'ok'
              ? say(request, `${capitalised(what(project))} is deleted.`)
              : fail(outcome)
          }),
        )
      },
    },
  }
}

const say = (request: Request, text: string) => request.reply({ text, blocks: [section(text)] })

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const plain = (text: string) => ({ type: 'plain_text' as const, text })

const question = (action_id: string, project: KnownProject, gone: string): KnownBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id,
      style: 'danger',
      text: plain('Delete'),
      value: project.Id,
      confirm: {
        title: plain('Delete it?'),
        text: plain(`This deletes ${gone}. It cannot be undone.`.slice(0, 300)),
        confirm: plain('Delete'),
        deny: plain('Keep it'),
      },
    },
  ],
})

export const deleteWebhook = deletion({
  verb: 'webhook',
  help: "Deletes the project's webhook, after asking. For owners and admins.",
  what: ({ Name }) => `the webhook of ${escaped(Name)}`,
  nothing: ({ Name }) => `${escaped(Name)} has no webhook.`,
  remove: ({ api }, { Id }) =>
    api.DELETE('/api/v1/projects/{project_id}/webhook', { params: { path: { project_id: Id } } }),
})

export const deleteFile = deletion({
  verb: 'file',
  help: "Deletes the file that the bot's token has staged, after asking. For owners and admins.",
  what: () => 'the staged file',
  nothing: () => 'There is no staged file.',
  remove: ({ api }) => api.DELETE('/api/v1/common/file'),
})
