import {
  type Digest,
  forgetPlanned,
  forgetRun,
  listDigests,
  listHandedOver,
  pauseDigest,
  removeDigest,
  resumeDigest,
  saveDigest,
} from '../../store/digests.ts'
import { describe } from '../../time/describe.ts'
import { describeRhythm, next, type Rhythm, readRhythm } from '../../time/rhythm.ts'
import { findPerson, refusalFor } from '../asker.ts'
import { renderDigest } from '../digest/render.ts'
import type { Feature, Request } from '../feature.ts'
import { escaped, said } from '../reply.ts'
import { withProject } from '../with-project.ts'

export const digest: Feature = {
  verb: 'digest',
  usage: '[weekdays at 9am, now, list, pause, resume, off]',
  help: 'Tells this channel regularly what goes out next; shows it now, pauses it, or ends it.',
  run: async (request) => {
    const { bot, asker, words, reply } = request
    if (!/^[CG]/.test(asker.channel_id ?? ''))
      return reply(said('A digest is for a channel: say this in one.'))
    const verb = words.trim().toLowerCase()
    if (verb === 'now') return tellNow(request)
    if (!verb || verb === 'list') return reply(said(await describeAll(request)))
    const refusal = refusalFor(bot, await findPerson(bot, asker), 'write')
    if (refusal) return reply(said(refusal))
    const change = CHANGES[verb]
    return change ? forAll(request, change) : setUp(request)
  },
}

const EXAMPLE = '`/upnext digest weekdays at 9am`'

type Change = (request: Request, digest: Digest) => Promise<unknown>

const CHANGES: Record<string, Change> = {
  pause: async ({ bot }, { id }) => pauseDigest(bot.db, id, 'asked'),
  resume: async ({ bot }, { id, rhythm }) =>
    resumeDigest(bot.db, id, next(rhythm as Rhythm, bot.world.now()).toJSDate()),
  off: async ({ bot }, { id }) => removeDigest(bot.db, id),
}

async function forAll(request: Request, change: Change): Promise<void> {
  const { bot, reply } = request
  const digests = await digestsHere(request)
  if (!digests.length) return reply(said(`There is no digest here. ${EXAMPLE} sets one up.`))
  const late: string[] = []
  for (const one of digests) {
    if (!(await takeBack(request, one))) late.push(one.project_name)
    await change(request, one)
  }
  const tooLate = late.length
    ? ` The one of ${escaped(late.join(', '))} is out of our hands: Slack posts it within a minute.`
    : ''
  bot.log.info({ digests: digests.length }, 'digests changed')
  return reply(said(`${await describeAll(request)}${tooLate}`))
}

/** What Slack holds already is not to come any more; within its last minute it cannot be stopped. */
async function takeBack({ bot, asker }: Request, { id, channel_id }: Digest): Promise<boolean> {
  await forgetPlanned(bot.db, id)
  for (const run of await listHandedOver(bot.db, id, bot.world.now()))
    try {
      await asker.client.chat.deleteScheduledMessage({
        channel: channel_id,
        scheduled_message_id: run.message_id ?? '',
      })
      await forgetRun(bot.db, run)
    } catch {
      return false
    }
  return true
}

const digestsHere = ({ bot, asker: { team_id, channel_id = '' } }: Request) =>
  listDigests(bot.db, { team_id, channel_id })

async function describeAll(request: Request): Promise<string> {
  const { bot, asker } = request
  const digests = await digestsHere(request)
  const here = `<#${asker.channel_id}>`
  if (!digests.length) return `${here} has no digest. ${EXAMPLE} sets one up.`
  const person = await findPerson(bot, asker)
  const now = bot.world.now()
  const lines = digests.map(({ project_name, rhythm: held, paused_for, set_by }) => {
    const rhythm = held as Rhythm
    const first = next(rhythm, now)
    const runs = [first, next(rhythm, first.toJSDate())].map((at) =>
      describe(at, rhythm.zone, person.zone, now),
    )
    const when = paused_for
      ? 'paused; `/upnext digest resume` starts it again'
      : `next ${runs.join(', then ')}`
    return `• *${escaped(project_name)}*: ${describeRhythm(rhythm)}, ${when} (set by <@${set_by}>)`
  })
  return `${here} gets:\n${lines.join('\n')}`
}

function setUp(request: Request): Promise<void> {
  return withProject(request, async ({ project }) => {
    const { bot, asker, words, reply } = request
    const person = await findPerson(bot, asker)
    const now = bot.world.now()
    const reading = readRhythm(words, { now, zone: person.zone, locale: person.locale })
    if (reading.kind === 'refusal') return reply(said(escaped(reading.say)))
    if (reading.kind === 'question')
      return reply(
        said(
          `${escaped(reading.ask)} Write ${reading.choices.map(({ label }) => `"${label}"`).join(' or ')}.`,
        ),
      )
    const { rhythm, assumed } = reading
    await saveDigest(bot.db, {
      id: bot.world.newId(),
      team_id: asker.team_id,
      channel_id: asker.channel_id ?? '',
      project_id: project.Id,
      project_name: project.Name,
      rhythm,
      set_by: asker.user_id,
      set_at: now,
      paused_for: null,
      next_at: next(rhythm, now).toJSDate(),
    })
    const took = assumed.length ? `\n_${escaped(assumed.join('; '))}_` : ''
    return reply(said(`${await describeAll(request)}${took}`))
  })
}

/** What the next one would say, to the person alone. */
function tellNow(request: Request): Promise<void> {
  return withProject(request, async ({ project, fail }) => {
    const { bot, asker, reply } = request
    const person = await findPerson(bot, asker)
    const shown = { project_id: project.Id, project_name: project.Name }
    const rendered = await renderDigest(bot, shown, {
      zone: person.zone,
      now: bot.world.now(),
      since: undefined,
    })
    return 'failure' in rendered ? fail(rendered.failure) : reply(rendered.reply)
  })
}
