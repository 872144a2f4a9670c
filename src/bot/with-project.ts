import type { Request } from './feature.ts'
import { chooseProject, findProject, type KnownProject } from './projects.ts'
import { escaped, said } from './reply.ts'
import { type Failure, replyFailure } from './trouble.ts'

type Inside = {
  project: KnownProject
  projects: KnownProject[]
  /** Tells the person, and the log, of a call that failed. */
  fail: (outcome: Failure) => Promise<void>
}

/** Finds out which project is meant, or asks. A button may say which. */
export async function withProject(
  request: Request,
  then: (inside: Inside) => Promise<void>,
  project_id?: string,
): Promise<void> {
  const { bot, asker, reply } = request
  const fail = (failure: Failure) => replyFailure(request, failure)
  const chosen = project_id ? await findProject(bot, project_id) : await chooseProject(bot, asker)
  if ('failure' in chosen) return fail(chosen.failure)
  if ('project' in chosen) return then({ ...chosen, fail })
  if ('gone' in chosen) return reply(said('That project is not there any more, or not for this bot.'))
  const names = chosen.unsure.slice(0, MOST_NAMED).map(({ Name }) => `\`/upnext use ${escaped(Name)}\``)
  const more = chosen.unsure.length > MOST_NAMED ? ' `/upnext projects` lists all.' : ''
  return reply(
    said(
      names.length
        ? `Which project is this channel about? Say it once: ${names.join(' or ')}.${more}`
        : "There is no project yet that the bot's token can see.",
    ),
  )
}

const MOST_NAMED = 10
