import type { Feature } from './feature.ts'
import { chooseProject, type KnownProject } from './projects.ts'
import { escaped, section, troubled } from './reply.ts'
import { explain, type Failure, type Trouble } from './trouble.ts'

type Request = Parameters<Feature['run']>[0]

type Inside = {
  project: KnownProject
  projects: KnownProject[]
  /** Tells the person, and the log, of a call that failed. */
  fail: (outcome: Failure) => Promise<void>
}

/** Finds out which project is meant, or asks. */
export async function withProject(request: Request, then: (inside: Inside) => Promise<void>): Promise<void> {
  const { bot, asker, reply } = request
  const tell = ({ say, kind }: Trouble) => {
    const id = bot.world.newId().slice(0, 8)
    bot.log.warn({ id, kind, user: asker.user_id }, say)
    return reply(troubled(say, id))
  }
  const chosen = await chooseProject(bot, asker)
  if ('trouble' in chosen) return tell(chosen.trouble)
  if ('project' in chosen) return then({ ...chosen, fail: (outcome) => tell(explain(outcome)) })
  const names = chosen.unsure.map(({ Name }) => `\`/upnext use ${escaped(Name)}\``)
  const text = names.length
    ? `Which project is this channel about? Say it once: ${names.join(' or ')}.`
    : "There is no project yet that the bot's token can see."
  return reply({ text, blocks: [section(text)] })
}
