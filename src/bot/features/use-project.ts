import { findChannelProject, setChannelProject } from '../../store/projects.ts'
import { findPerson, refusalFor } from '../asker.ts'
import type { Feature } from '../feature.ts'
import { matching, UNAVAILABLE } from '../form/fields.ts'
import { LIST_TIME_MS } from '../form/look-up.ts'
import { publishHome } from '../home/home.ts'
import { findByName, listProjects, rememberProject } from '../projects.ts'
import { escaped, said } from '../reply.ts'
import { replyFailure } from '../trouble.ts'

const MOST_NAMED = 20

export const useProject: Feature = {
  verb: 'use',
  usage: '[project]',
  help: 'Says which project this channel is about, or shows it.',
  run: async (request) => {
    const { bot, asker, words, reply, share } = request
    const { team_id, user_id, channel_id } = asker
    if (!channel_id) return reply(said('This works in a channel.'))
    const here = /^[CG]/.test(channel_id) ? `<#${channel_id}>` : 'This conversation'
    const listed = await listProjects(bot)
    if ('failure' in listed) return replyFailure(request, listed.failure)
    const named = listed.projects.slice(0, MOST_NAMED).map(({ Name }) => escaped(Name))
    const more = listed.projects.length > MOST_NAMED ? ' (`/upnext projects` lists all)' : ''
    const names = `${named.join(', ')}${more}`
    if (!words.trim()) {
      const now = await findChannelProject(bot.db, { team_id, channel_id })
      const project = listed.projects.find(({ Id }) => Id === now?.project_id)
      return reply(
        said(
          project
            ? `${here} is about *${escaped(project.Name)}*; <@${now?.set_by}> set that.`
            : `${here} has no project yet. There are: ${names}.`,
        ),
      )
    }
    // It is for all in the channel, and so not for guests.
    const refusal = refusalFor(bot, await findPerson(bot, asker), 'write')
    if (refusal) return reply(said(refusal))
    const project = findByName(listed.projects, words)
    if (!project) return reply(said(`There is no project "${escaped(words.trim())}". There are: ${names}.`))
    const set_at = bot.runtime.now()
    await setChannelProject(bot.db, { team_id, channel_id, project_id: project.Id, set_by: user_id, set_at })
    // Whatever is typed here is about that from now on, whoever types it.
    return share(said(`${here} is about *${escaped(project.Name)}* now; <@${user_id}> set that.`))
  },
  // On the Home: a person's own, where a channel has none.
  options: {
    'project:choose': async (bot, typed) => {
      const listed = await listProjects(bot, LIST_TIME_MS)
      if ('failure' in listed) return [UNAVAILABLE]
      return matching(
        listed.projects.map(({ Id, Name }) => ({ value: Id, label: Name })),
        typed,
      )
    },
  },
  actions: {
    'project:choose': async ({ bot, asker, words }) => {
      if (words === UNAVAILABLE.value) return
      await rememberProject(bot, asker, words)
      await publishHome(bot, asker)
    },
  },
}
