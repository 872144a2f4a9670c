import type { Feature } from '../feature.ts'
import { listProjects } from '../projects.ts'
import { context, escaped, section } from '../reply.ts'
import { replyFailure } from '../trouble.ts'

export const listAllProjects: Feature = {
  verb: 'projects',
  usage: '',
  help: 'Lists the projects there are.',
  run: async (request) => {
    const { bot, reply } = request
    const listed = await listProjects(bot)
    if ('failure' in listed) return replyFailure(request, listed.failure)
    const { projects } = listed
    const lines = projects.map(({ Name }) => `• ${escaped(Name)}`)
    const text = lines.length ? lines.join('\n') : "There is no project yet that the bot's token can see."
    return reply({
      text: projects.map(({ Name }) => escaped(Name)).join(', ') || text,
      blocks: [section(text), context('`/upnext use NAME` makes one the project of this channel.')],
    })
  },
}
