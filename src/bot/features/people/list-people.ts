import { context, escapeText, lineSections } from '../../slack/message-blocks.ts'
import { definePagedList, slicePage } from '../../slack/paged-list.ts'
import { ADMIN_ACCESS } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'
import { listKnownUsers } from './known-users.ts'

const PAGE_SIZE = 20

const INCOMPLETE_LIST_NOTE =
  "The service can't list users. These are the people who were invited or edited from Slack. Edit them with `/upnext user`."

export const listPeople = definePagedList({
  verb: 'people',
  help: 'List the people of a project who were invited or edited from Slack. For owners and admins.',
  access: ADMIN_ACCESS,
  loadPage: async (request, { page: requestedPage, project_id }) => {
    const { bot, actor } = request
    const project = await resolveProject(request, project_id)
    if (!project) return undefined
    const name = escapeText(project.Name)
    const people = await listKnownUsers({ bot, actor, project_id: project.Id })
    if (!people.length)
      return {
        message: `Nobody was invited to ${name} from Slack, and the service can't list users. Invite someone with \`/upnext invite\`.`,
      }
    const { items, page, hasMore } = slicePage(people, requestedPage, PAGE_SIZE)
    const lines = items.map(({ label, value }) => `• ${escapeText(label)} · \`${escapeText(value)}\``)
    return {
      title: `People in ${name}`,
      items: [[...lineSections(lines), context(INCOMPLETE_LIST_NOTE)]],
      page,
      hasMore,
      project_id: project.Id,
    }
  },
})
