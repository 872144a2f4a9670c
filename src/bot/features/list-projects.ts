import type { Feature } from '../feature.ts'
import { listProjects } from '../projects.ts'
import { context, escaped, section, troubled } from '../reply.ts'

export const listAllProjects: Feature = {
  verb: 'projects',
  usage: '',
  help: 'Lists the projects there are.',
  run: async ({ bot, reply }) => {
    const listed = await listProjects(bot)
    if ('trouble' in listed) return reply(troubled(listed.trouble.say, bot.world.newId().slice(0, 8)))
    const { projects } = listed
    const lines = projects.map(({ Name }) => `• ${escaped(Name)}`)
    const text = lines.length ? lines.join('\n') : "There is no project yet that the bot's token can see."
    return reply({
      text: projects.map(({ Name }) => Name).join(', ') || text,
      blocks: [section(text), context('`/upnext use NAME` makes one the project of this channel.')],
    })
  },
}
