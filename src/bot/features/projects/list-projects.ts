import { replyWithFailure } from '../../slack/errors.ts'
import type { Feature } from '../../slack/feature.ts'
import { context, escapeText, lineSections, textReply, truncate } from '../../slack/message-blocks.ts'
import { VIEW_ACCESS } from '../../slack/permissions.ts'
import { NO_PROJECTS_MESSAGE } from '../../slack/projects.ts'

/** Slack allows about 13,000 characters in a message, so only the projects that fit are listed. */
const MAX_SECTION_BLOCKS = 4
const MAX_NAME_LENGTH = 100

export const listAllProjects: Feature = {
  verb: 'projects',
  help: 'List all projects.',
  access: VIEW_ACCESS,
  run: async (request) => {
    const list = await request.bot.projectList.load()
    if ('failure' in list) return replyWithFailure(request, list.failure)
    if (!list.projects.length) return request.reply(textReply(NO_PROJECTS_MESSAGE))
    const lines = list.projects.map(({ Name }) => `• ${escapeText(truncate(Name, MAX_NAME_LENGTH))}`)
    const sections = lineSections(lines)
    const more =
      sections.length > MAX_SECTION_BLOCKS ? 'There are more projects than a message can list. ' : ''
    const hint = context(`${more}Link one to this channel with \`/upnext use NAME\`.`)
    return request.reply({ text: 'Projects', blocks: [...sections.slice(0, MAX_SECTION_BLOCKS), hint] })
  },
}
