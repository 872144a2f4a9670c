import { type ApiResult, isRecordMissing } from '../../../api/result.ts'
import { toAuditOutcome, toOutcome } from '../../forms/outcome.ts'
import { recordAction } from '../../slack/audit.ts'
import type { Bot } from '../../slack/bot.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { buttonRow, escapeText, textReply } from '../../slack/message-blocks.ts'
import { ADMIN_ACCESS } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'

/** The record to delete. The Delete button carries the id. */
type Target = { id: string; name: string; missingMessage: string }

type Deletion = {
  verb: string
  help: string
  findTarget: (request: Request, id?: string) => Promise<Target | undefined>
  remove: (bot: Bot, id: string, request_id: string) => Promise<ApiResult<unknown>>
  /** Matches the service's word for the record in the message of a 404. */
  recordPattern: RegExp
}

/** A deletion asks first, because it can't be undone. */
function defineDeletion({ verb, help, findTarget, remove, recordPattern }: Deletion): Feature {
  const action_id = `${verb}:confirm`
  return {
    verb,
    help,
    access: ADMIN_ACCESS,
    run: async (request) => {
      const target = await findTarget(request)
      if (!target) return
      const confirmation = `Delete ${target.name}? This can't be undone.`
      const button = { action_id, label: 'Delete', value: target.id, confirmation }
      await request.reply(textReply(escapeText(confirmation), ...buttonRow(button)))
    },
    actions: {
      [action_id]: {
        access: ADMIN_ACCESS,
        run: async (pressed) => {
          const request = { ...pressed, reply: pressed.replace }
          const target = await findTarget(request, request.text)
          if (!target) return
          const { bot, actor } = request
          const result = await remove(bot, target.id, actor.request_id)
          const outcome = toAuditOutcome(toOutcome(result))
          await recordAction(request, { action: action_id, outcome, target: target.id })
          if (result.kind === 'ok') return request.reply(textReply(escapeText(`Deleted ${target.name}.`)))
          if (isRecordMissing(result, recordPattern))
            return request.reply(textReply(escapeText(target.missingMessage)))
          return replyWithFailure(request, result, { isReadOnly: false })
        },
      },
    },
  }
}

export const deleteWebhook = defineDeletion({
  verb: 'delete-webhook',
  help: "Delete the project's webhook. For owners and admins.",
  findTarget: async (request, id) => {
    const project = await resolveProject(request, id)
    if (!project) return undefined
    const { Id, Name } = project
    return { id: Id, name: `${Name}'s webhook`, missingMessage: `${Name} has no webhook.` }
  },
  remove: ({ api }, id, request_id) => api.webhook.delete(id, { request_id }),
  recordPattern: /hook/i,
})

/** The staged file belongs to the bot's token rather than to a project. */
export const deleteStagedFile = defineDeletion({
  verb: 'delete-file',
  help: "Delete the file that was uploaded with Upnext's API token. For owners and admins.",
  findTarget: async () => ({
    id: 'file',
    name: 'the staged file',
    missingMessage: "There's no staged file to delete.",
  }),
  remove: ({ api }, _id, request_id) => api.file.delete({ request_id }),
  recordPattern: /file/i,
})
