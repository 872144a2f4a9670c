import type { KnownBlock } from '@slack/types'
import { describeMedia, formatBytes } from '../../../platforms/platform-media.ts'
import { recordAction } from '../../slack/audit.ts'
import { type Feature, noProject, type Request } from '../../slack/feature.ts'
import { buttonRow, context, escapeText, section, textReply, thumbnail } from '../../slack/message-blocks.ts'
import { VIEW_ACCESS, WRITE_ACCESS } from '../../slack/permissions.ts'
import { countStoredBytes, deleteUpload, listUploads, type UploadWithFile } from '../media/media-store.ts'
import { MEDIA_PATH } from '../media/serve-media.ts'
import { deleteThumbnails } from '../media/upload-thumbnail.ts'
import { postLabel } from '../posts/display/post-blocks.ts'
import { USED_TTL_DAYS } from './delete-unused-uploads.ts'
import { findUploadUses, type UploadUse } from './find-upload-uses.ts'

const MAX_UPLOADS = 12
/** This many uploads are loaded, so that unused ones can be shown first: they can be deleted. */
const MAX_LOADED_UPLOADS = 200
const MAX_USES = 5

export const listMedia: Feature = {
  verb: 'media',
  help: "See your uploads and where they're used. Delete unused ones.",
  access: VIEW_ACCESS,
  run: async (request) => {
    const { bot, actor, reply } = request
    const uploads = await listUploads(bot.db, actor, MAX_LOADED_UPLOADS)
    if (!uploads.length) return reply(textReply(NO_UPLOADS))
    const { byName, isComplete } = await findUploadUses(request, actor.team_id)
    const isUsed = ({ name }: UploadWithFile) => Number(byName.has(name))
    const sorted = isComplete ? uploads.toSorted((a, b) => isUsed(a) - isUsed(b)) : uploads
    const shown = sorted.slice(0, MAX_UPLOADS)
    const blocks = shown.flatMap((upload) =>
      describeUpload(request, upload, { uses: byName.get(upload.name) ?? [], isComplete }),
    )
    await reply({
      text: 'Your uploads',
      blocks: [section('*Your uploads*'), ...blocks, context(await describeTotal(request, uploads.length))],
    })
  },
  actions: {
    'media:delete': {
      access: WRITE_ACCESS,
      projectOf: noProject,
      run: deleteIfUnused,
    },
  },
}

const NO_UPLOADS =
  "You haven't uploaded anything. Add an image or video with `/schedule-post`, or use the shortcut *Schedule as a post* on a message with a file."

type UploadUses = { uses: UploadUse[]; isComplete: boolean }

function describeUpload(
  { bot, viewer }: Request,
  upload: UploadWithFile,
  { uses, isComplete }: UploadUses,
): KnownBlock[] {
  const { name, file_name, alt_text } = upload
  const link = `${bot.uploads.current.baseUrl ?? ''}${MEDIA_PATH}${name}`
  const useLines = uses.slice(0, MAX_USES).map(({ post, project }) => {
    const projectNote = project ? ` in ${escapeText(project.Name)}` : ' (not sent yet)'
    return `• ${escapeText(postLabel(post, viewer))}${projectNote}`
  })
  const moreCount = uses.length - useLines.length
  const more = moreCount ? [`…and ${moreCount} more`] : []
  const usage = uses.length ? ['Used in:', ...useLines, ...more] : [isComplete ? 'Not used.' : UNKNOWN_USAGE]
  const description = [`*${escapeText(file_name)}* · ${describeMedia(upload)}`, ...usage]
  const deletion = {
    action_id: 'media:delete',
    label: 'Delete',
    value: name,
    confirmation: `This deletes ${file_name} for good.`,
  }
  return [
    { ...section(description.join('\n')), ...thumbnail(link, alt_text ?? file_name) },
    ...(uses.length || !isComplete ? [] : buttonRow(deletion)),
  ]
}

const UNKNOWN_USAGE = "Upnext couldn't check where this file is used. Try again in a minute."

async function describeTotal({ bot, actor }: Request, count: number): Promise<string> {
  const { maxWorkspaceBytes } = bot.uploads.current
  const used = formatBytes(await countStoredBytes(bot.db, actor.team_id))
  const more = count > MAX_UPLOADS ? `Only ${MAX_UPLOADS} of your uploads are shown, unused ones first. ` : ''
  return `${more}Your workspace uses ${used} of ${formatBytes(maxWorkspaceBytes)}. Files are deleted a day after the upload if no post uses them, or ${USED_TTL_DAYS} days after their last post went out or was cancelled.`
}

/** The list with the button may be old, so the file's uses are looked up again. */
async function deleteIfUnused(request: Request): Promise<void> {
  const { bot, actor, text: name, reply } = request
  const [upload] = (await listUploads(bot.db, actor)).filter((candidate) => candidate.name === name)
  if (!upload) return reply(textReply('This upload is already deleted.'))
  const { byName, isComplete } = await findUploadUses(request, actor.team_id)
  if (!isComplete) return reply(textReply(UNKNOWN_USAGE))
  if (byName.has(name)) return reply(textReply("A post uses this file, so it wasn't deleted."))
  const deleted = await deleteUpload(bot.db, upload)
  if (deleted) await deleteThumbnails(bot, actor.client, [deleted])
  await recordAction(request, { action: 'media:delete', target: name })
  await reply(textReply(`Deleted ${escapeText(upload.file_name)}.`))
}
