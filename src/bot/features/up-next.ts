import { replyWithFailure } from '../errors.ts'
import type { Feature, Request } from '../feature.ts'
import { buttonRow, context, escapeText, section, textReply } from '../message-blocks.ts'
import { VIEW_ACCESS, WRITE_ACCESS } from '../permissions.ts'
import { formatSchedule, platformNames, postBlocks } from '../post-blocks.ts'
import { resolveProject } from '../projects/projects.ts'

export const upNext: Feature = {
  verb: 'next',
  command: '/upnext',
  help: 'See your next post.',
  access: VIEW_ACCESS,
  run: (request) => showNextPost(request),
  actions: {
    'next:show': {
      access: VIEW_ACCESS,
      run: (request) => showNextPost(request, { project_id: request.text }),
    },
    'next:share': {
      access: WRITE_ACCESS,
      run: (request) => showNextPost(request, { project_id: request.text, isShared: true }),
    },
  },
}

const SCHEDULE_BUTTON = { action_id: 'schedule:open', label: 'Schedule a post' }
const SHARE_BUTTON = { action_id: 'next:share', label: 'Share in channel' }

type NextPostOptions = { project_id?: string; isShared?: boolean }

async function showNextPost(request: Request, options: NextPostOptions = {}): Promise<void> {
  const { project_id, isShared = false } = options
  const { bot, actor, profile, reply, share } = request
  const project = await resolveProject(request, project_id)
  if (!project) return
  const result = await bot.api.posts.getNext(project.Id)
  if (result.kind !== 'ok') return replyWithFailure(request, result)
  const post = result.data
  const name = escapeText(project.Name)
  if (!post) {
    const text = `Nothing is scheduled in ${name}. Schedule a post with \`/schedule-post\`.`
    return reply(textReply(text, ...buttonRow(SCHEDULE_BUTTON)))
  }
  const viewer = { zone: profile.zone, now: bot.runtime.now(), isChannel: isShared }
  const text = `Up next in ${name}: ${formatSchedule(post, viewer)}, ${platformNames(post)}`
  const blocks = [section(`*Up next in ${name}*`), ...postBlocks(post, viewer)]
  if (isShared) return share({ text, blocks: [...blocks, context(`Shared by <@${actor.user_id}>`)] })
  blocks.push(...buttonRow(SCHEDULE_BUTTON, SHARE_BUTTON), context('Type `/upnext help` for all commands.'))
  return reply({ text, blocks })
}
