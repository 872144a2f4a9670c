import { findChannelProject, setChannelProject } from '../../store/projects.ts'
import type { Feature } from '../feature.ts'
import { publishHome } from '../home/home.ts'
import { findByName, listProjects, rememberProject } from '../projects.ts'
import { escaped, section } from '../reply.ts'
import { replyFailure } from '../trouble.ts'

export const useProject: Feature = {
  verb: 'use',
  usage: '[project]',
  help: 'Says which project this channel is about, or shows it.',
  run: async (request) => {
    const { bot, asker, words, reply } = request
    const say = (text: string) => reply({ text, blocks: [section(text)] })
    const { team_id, user_id, channel_id } = asker
    if (!channel_id) return say('This works in a channel.')
    const listed = await listProjects(bot)
    if ('failure' in listed) return replyFailure(request, listed.failure)
    const names = listed.projects.map(({ Name }) => escaped(Name)).join(', ')
    if (!words.trim()) {
      const now = await findChannelProject(bot.db, { team_id, channel_id })
      const project = listed.projects.find(({ Id }) => Id === now?.project_id)
      return say(
        project
          ? `<#${channel_id}> is about *${escaped(project.Name)}*; <@${now?.set_by}> set that.`
          : `<#${channel_id}> has no project yet. There are: ${names}.`,
      )
    }
    const project = findByName(listed.projects, words)
    if (!project) return say(`There is no project "${escaped(words.trim())}". There are: ${names}.`)
    const set_at = bot.world.now()
    await setChannelProject(bot.db, { team_id, channel_id, project_id: project.Id, set_by: user_id, set_at })
    return say(`<#${channel_id}> is about *${escaped(project.Name)}* now; <@${user_id}> set that.`)
  },
  // On the Home: a person's own, where a channel has none.
  actions: {
    'project:choose': async ({ bot, asker, words }) => {
      await rememberProject(bot, asker, words)
      await publishHome(bot, asker)
    },
  },
}
