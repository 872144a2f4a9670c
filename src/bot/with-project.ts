import type { Request } from './feature.ts'
import { chooseProject, type KnownProject } from './projects.ts'
import { escaped, section } from './reply.ts'
import { type Failure, replyFailure } from './trouble.ts'

type Inside = {
  project: KnownProject
  projects: KnownProject[]
  /** Tells the person, and the log, of a call that failed. */
  fail: (outcome: Failure) => Promise<void>
}

/** Finds out which project is meant, or asks. */
export async function withProject(request: Request, then: (inside: Inside) => Promise<void>): Promise<void> {
  const { bot, asker, reply } = request
  const fail = (failure: Failure) => replyFailure(request, failure)
  const chosen = await chooseProject(bot, asker)
  if ('failure' in chosen) return fail(chosen.failure)
  if ('project' in chosen) return then({ ...chosen, fail })
  const names = chosen.unsure.map(({ Name }) => `\`/upnext use ${escaped(Name)}\``)
  const text = names.length
    ? `Which project is this channel about? Say it once: ${names.join(' or ')}.`
    : "There is no project yet that the bot's token can see."
  return reply({ text, blocks: [section(text)] })
}
