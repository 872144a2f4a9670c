import type { Post } from '../../../api/records.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { buttonRow, context, escapeText, section } from '../../slack/message-blocks.ts'
import { VIEW_ACCESS } from '../../slack/permissions.ts'
import type { NamedProject } from '../../slack/project-list.ts'
import { resolveProject } from '../../slack/projects.ts'
import { formatSchedule, platformNames, postBlocks } from './display/post-blocks.ts'
import { postMenu } from './display/post-menu.ts'
import { postReferenceOf } from './display/post-reference.ts'
import { findNextPost, overdueBlocks } from './find/next-post.ts'

export const upNext: Feature = {
  verb: 'next',
  command: '/upnext',
  help: 'See your next post.',
  access: VIEW_ACCESS,
  run: (request) => showNextPost(request),
  actions: {
    'next:show': {
      access: VIEW_ACCESS,
      run: (request) => showNextPost(request, request.text),
    },
  },
}

/** Opens the form for the message's project, even if the channel has another project by then. */
const scheduleButton = ({ Id: value }: NamedProject) => ({
  action_id: 'schedule:open',
  label: 'Schedule a post',
  value,
})

async function showNextPost(request: Request, project_id?: string): Promise<void> {
  const { bot, actor, profile, reply } = request
  const project = await resolveProject(request, project_id)
  if (!project) return
  const now = bot.runtime.now()
  const result = await findNextPost(bot, { team_id: actor.team_id, project_id: project.Id }, { now })
  if (result.kind !== 'ok') return replyWithFailure(request, result)
  const { next, overdue } = result.data
  const name = escapeText(project.Name)
  const viewer = { zone: profile.zone, now }
  const menuOf = (post: Post | undefined) => post && postMenu({ bot, project_id: project.Id, profile }, post)
  const overdueSection = overdueBlocks(result.data, viewer, { menu: menuOf(overdue) })
  if (!next) {
    const text = `Nothing${overdue ? ' else' : ''} is scheduled in ${name}. Schedule a post with \`/schedule-post\`.`
    return reply({ text, blocks: [...overdueSection, section(text), ...buttonRow(scheduleButton(project))] })
  }
  const text = `Up next in ${name}: ${formatSchedule(next, viewer)}, ${platformNames(next)}`
  const reference = postReferenceOf(project.Id, next)
  const share = { action_id: 'share:ask', label: 'Share in channel', value: JSON.stringify(reference) }
  const blocks = [
    ...overdueSection,
    section(`*Up next in ${name}*`),
    ...postBlocks(next, viewer, { menu: menuOf(next) }),
    ...buttonRow(scheduleButton(project), ...(reference ? [share] : [])),
    context('Type `/upnext help` for all commands.'),
  ]
  return reply({ text, blocks })
}
