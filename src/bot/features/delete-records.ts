import type { ApiResult } from '../../api/result.ts'
import type { Bot } from '../bot.ts'
import { replyWithFailure } from '../errors.ts'
import type { Feature, Request } from '../feature.ts'
import { buttonRow, escapeText, section, textReply } from '../message-blocks.ts'
import { ADMIN_ACCESS } from '../permissions.ts'
import { type NamedProject, resolveProject } from '../projects/projects.ts'

type Deletion<Target> = {
  verb: string
  help: string
  /** Finds what to delete. The id comes from the Delete button. */
  findTarget: (request: Request, id?: string) => Promise<Target | undefined>
  idOf: (target: Target) => string
  describe: (target: Target) => string
  remove: (bot: Bot, target: Target) => Promise<ApiResult<unknown>>
  missingMessage: (target: Target) => string
}

/** A deletion asks first, because it can't be undone. */
function defineDeletion<Target>(deletion: Deletion<Target>): Feature {
  const { verb, help, findTarget, idOf, describe, remove, missingMessage } = deletion
  const action_id = `${verb}:delete`
  return {
    verb,
    usage: '',
    help,
    access: ADMIN_ACCESS,
    run: async (request) => {
      const target = await findTarget(request)
      if (target === undefined) return
      const text = `Delete ${describe(target)}? This can't be undone.`
      const button = { action_id, label: 'Delete', value: idOf(target), confirmation: text }
      await request.reply({
        text: escapeText(text),
        blocks: [section(escapeText(text)), ...buttonRow(button)],
      })
    },
    actions: {
      [action_id]: {
        access: ADMIN_ACCESS,
        run: async (request) => {
          const target = await findTarget({ ...request, reply: request.replace }, request.text)
          if (target === undefined) return
          const result = await remove(request.bot, target)
          if (result.kind === 'ok')
            return request.replace(textReply(escapeText(`Deleted ${describe(target)}.`)))
          if (result.kind === 'not-found')
            return request.replace(textReply(escapeText(missingMessage(target))))
          return replyWithFailure({ ...request, reply: request.replace }, result, { isRead: false })
        },
      },
    },
  }
}

export const deleteWebhook = defineDeletion<NamedProject>({
  verb: 'webhook',
  help: "Delete the project's webhook. For owners and admins.",
  findTarget: resolveProject,
  idOf: ({ Id }) => Id,
  describe: ({ Name }) => `${Name}'s webhook`,
  missingMessage: ({ Name }) => `${Name} has no webhook.`,
  remove: ({ api }, { Id }) => api.webhook.delete(Id),
})

/** The staged file belongs to the bot's token rather than to a project. */
const STAGED_FILE = 'file'

export const deleteFile = defineDeletion<typeof STAGED_FILE>({
  verb: 'file',
  help: "Delete the file staged with the bot's token. For owners and admins.",
  findTarget: async () => STAGED_FILE,
  idOf: (target) => target,
  describe: () => 'the staged file',
  missingMessage: () => "There's no staged file.",
  remove: ({ api }) => api.file.delete(),
})
