import type { Feature } from '../feature.ts'
import { listProjects } from '../projects.ts'
import { context, escaped, said, sections, shortened } from '../reply.ts'
import { replyFailure } from '../trouble.ts'

/** A message takes some 13,000 characters in all. */
const MOST_SECTIONS = 4

export const listAllProjects: Feature = {
  verb: 'projects',
  usage: '',
  help: 'Lists the projects there are.',
  run: async (request) => {
    const { bot, reply } = request
    const listed = await listProjects(bot)
    if ('failure' in listed) return replyFailure(request, listed.failure)
    const { projects } = listed
    if (!projects.length) return reply(said("There is no project yet that the bot's token can see."))
    return reply({
      text: 'The projects',
      blocks: [
        ...sections(projects.map(({ Name }) => `• ${escaped(shortened(Name, 100))}`)).slice(0, MOST_SECTIONS),
        context('`/upnext use NAME` makes one the project of this channel.'),
      ],
    })
  },
}
