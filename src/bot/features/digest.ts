import { z } from 'zod'
import { findContent, keepContent } from '../../store/digest-contents.ts'
import type { Withdrawn } from '../../store/digest-unwanted.ts'
import {
  type Digest,
  findDigest,
  listDigests,
  listDigestsOf,
  pauseDigest,
  removeDigest,
  resumeDigest,
} from '../../store/digests.ts'
import { describeRhythm, type Rhythm } from '../../time/rhythm.ts'
import { findPerson, isChannel, refusalFor } from '../asker.ts'
import { describeDigest } from '../digest/describe-digest.ts'
import { openToChange, setUp, TOO_LATE } from '../digest/digest-form.ts'
import { ALL_PARTS, type Content, gatherDigest, PARTS, type PartName } from '../digest/gather.ts'
import { isFolded, renderDigest } from '../digest/render.ts'
import { announce, comingOf, nextRun, setUpDigest } from '../digest/set-up.ts'
import { tellOther } from '../digest/tell-owners.ts'
import type { Request } from '../feature.ts'
import type { Form } from '../form/form.ts'
import { readWords } from '../form/rhythm-field.ts'
import { buttons, escaped, type Reply, said, section } from '../reply.ts'
import { withProject } from '../with-project.ts'

/** `/upnext digest` alone opens its form. */
export const digest: Form = {
  ...setUp,
  run: async (request) => {
    const { words, asker, reply } = request
    const typed = words.trim().toLowerCase()
    const verb = ALIASES[typed] ?? typed
    if (!verb) return setUp.run(request)
    if (verb === 'now') return showNow(request)
    if (verb === 'list') return reply(await listAll(request))
    if (!isChannel(asker.channel_id))
      return reply(said('A digest is for a channel: say this in one, or choose one with `/upnext digest`.'))
    return isVerb(verb) ? changeAll(request, verb) : setUpInWords(request)
  },
  actions: {
    ...setUp.actions,
    'digest:edit': (request) => withDigest(request, (one) => openToChange(request, one)),
    'digest:pause': (request) => withDigest(request, (one) => changeOne(request, one, 'pause')),
    'digest:resume': (request) => withDigest(request, (one) => changeOne(request, one, 'resume')),
    'digest:off': (request) => withDigest(request, (one) => changeOne(request, one, 'off')),
    'digest:off-all': (request) => changeAll({ ...request, reply: request.replace }, 'off', { isSure: true }),
    ...Object.fromEntries(Object.keys(PARTS).map((name) => [`digest:turn:${name}`, turn])),
  },
}

const EXAMPLE = '`/upnext digest weekdays at 9am`'

const ALIASES: Record<string, string> = {
  status: 'list',
  show: 'list',
  edit: 'list',
  end: 'off',
  stop: 'off',
  delete: 'off',
  remove: 'off',
  start: 'resume',
}

type Verb = 'pause' | 'resume' | 'off'

/** What came of it, in words where that is not what was wanted. */
type Changed = { say?: string | undefined }

type Change = {
  done: 'paused' | 'resumed' | 'ended'
  change: (request: Request, digest: Digest) => Promise<Changed>
}

const CHANGES: Record<Verb, Change> = {
  pause: {
    done: 'paused',
    change: async ({ bot }, one) => lateWords(await pauseDigest(bot.db, one, bot.world.now())),
  },
  resume: { done: 'resumed', change: resume },
  off: {
    done: 'ended',
    change: async ({ bot }, one) => lateWords(await removeDigest(bot.db, one, bot.world.now())),
  },
}

const isVerb = (word: string): word is Verb => Object.hasOwn(CHANGES, word)

const lateWords = (changed: Withdrawn | 'gone'): Changed =>
  changed !== 'gone' && changed.isTooLate ? { say: TOO_LATE } : {}

/** One that had to stop goes on where it can: the channel is told, which shows whether it can be. */
async function resume({ bot, asker }: Request, one: Digest): Promise<Changed> {
  const { id, paused_for, channel_id, project_name } = one
  const rhythm = one.rhythm as Rhythm
  if (paused_for && paused_for !== 'asked') {
    const again = { channel_id, project: { Name: project_name }, rhythm, isAgain: true }
    const refusal = await announce(asker, again, ANNOUNCE_MS)
    if (refusal) return { say: refusal }
  }
  await resumeDigest(bot.db, id, await nextRun(bot, one))
  return {}
}

async function changeAll(request: Request, verb: Verb, { isSure = false } = {}): Promise<void> {
  const { bot, asker, reply } = request
  const refusal = refusalFor(bot, await findPerson(bot, asker, { isAfresh: true }), 'write')
  if (refusal) return reply(said(refusal))
  const digests = await listHere(request)
  if (!digests.length) return reply(said(`There is no digest here. ${EXAMPLE} sets one up.`))
  if (verb === 'off' && digests.length > 1 && !isSure) return askWhich(request, digests.length)
  const says: string[] = []
  for (const one of digests) {
    const { say } = await change(request, one, verb)
    if (say && !says.includes(say)) says.push(say)
  }
  await reply(await listAll(request, { ended: verb === 'off' ? digests : [], says }))
}

/** To end several at once is nothing to be done by a word. */
async function askWhich(request: Request, count: number): Promise<void> {
  const listed = await listAll(request)
  const text = `There are ${count} digests here. Which of them is to end?`
  const all = {
    action_id: 'digest:off-all',
    label: `End all ${count}`,
    ask: 'They cannot be brought back. Pausing them can be undone.',
  }
  await request.reply({ text, blocks: [section(text), ...(listed.blocks ?? []), ...buttons(all)] })
}

async function change(request: Request, one: Digest, verb: Verb): Promise<Changed> {
  const { change, done } = CHANGES[verb]
  const changed = await change(request, one)
  await tellOther(request.bot, request.asker, one, done)
  return changed
}

async function changeOne(request: Request, one: Digest, verb: Verb): Promise<void> {
  const { say } = await change(request, one, verb)
  const ended = verb === 'off' ? [one] : []
  await request.replace(await listAll(request, { ended, says: say ? [say] : [] }))
}

/** The digest that a button names, for those who may change it. */
async function withDigest(request: Request, then: (digest: Digest) => Promise<void>): Promise<void> {
  const { bot, asker, words, reply } = request
  const refusal = refusalFor(bot, await findPerson(bot, asker, { isAfresh: true }), 'write')
  if (refusal) return reply(said(refusal))
  const found = await findDigest(bot.db, words)
  if (found?.team_id !== asker.team_id) return reply(said('That digest was ended meanwhile.'))
  return then(found)
}

const listHere = ({ bot, asker: { team_id, user_id, channel_id } }: Request): Promise<Digest[]> =>
  isChannel(channel_id)
    ? listDigests(bot.db, { team_id, channel_id })
    : listDigestsOf(bot.db, { team_id, user_id })

type Meanwhile = { ended?: Digest[]; says?: string[] }

/** How all of them here stand: the channel's, or elsewhere those of whoever asks. */
async function listAll(request: Request, { ended = [], says = [] }: Meanwhile = {}): Promise<Reply> {
  const { bot, asker } = request
  const digests = await listHere(request)
  const isHere = isChannel(asker.channel_id)
  const before = [
    ...ended.map(
      ({ project_name, rhythm }) => `Ended: *${escaped(project_name)}*, ${describeRhythm(rhythm as Rhythm)}.`,
    ),
    ...says,
  ]
  if (!digests.length) {
    const none = isHere ? `<#${asker.channel_id}> has no digest.` : 'No channel has a digest of yours.'
    return said([...before, `${none} ${EXAMPLE} sets one up.`].join('\n'))
  }
  const person = await findPerson(bot, asker)
  const reader = { zone: person.zone, now: bot.world.now() }
  const coming = await comingOf(bot, digests)
  const lines = digests.map((one) => {
    const where = isHere ? '' : `<#${one.channel_id}> `
    return { one, line: `• ${where}${describeDigest(one, coming, reader)}` }
  })
  const title = isHere ? `<#${asker.channel_id}> gets:` : 'Your digests:'
  const mayChange = !refusalFor(bot, person, 'write')
  const left = lines.length - MOST_LISTED
  return {
    text: [...before, title, ...lines.map(({ line }) => line)].join('\n'),
    blocks: [
      ...before.map(section),
      section(title),
      ...lines
        .slice(0, MOST_LISTED)
        .flatMap(({ one, line }) => [section(line), ...(mayChange ? buttonsFor(one) : [])]),
      ...(left > 0 ? [section(`and ${left} more: end or change some of these to see them.`)] : []),
    ],
  }
}

const MOST_LISTED = 20

const buttonsFor = ({ id, paused_for }: Digest) =>
  buttons(
    { action_id: 'digest:edit', label: 'Edit', value: id },
    paused_for
      ? { action_id: 'digest:resume', label: 'Resume', value: id }
      : { action_id: 'digest:pause', label: 'Pause', value: id },
    {
      action_id: 'digest:off',
      label: 'End',
      value: id,
      ask: 'It cannot be brought back. Pausing it can be undone.',
    },
  )

/** For Slack's answer to what is typed; nobody waits three seconds with a form open. */
const ANNOUNCE_MS = 8000

const OTHERS =
  '`/upnext digest` alone opens a form; `now`, `list`, `pause`, `resume` and `off` are what else it knows.'

/** "weekdays at 9am": all of it in one line. */
function setUpInWords(request: Request): Promise<void> {
  return withProject(request, async ({ project }) => {
    const { bot, asker, words, reply } = request
    const person = await findPerson(bot, asker, { isAfresh: true })
    const refusal = refusalFor(bot, person, 'write')
    if (refusal) return reply(said(refusal))
    const scene = { person, now: bot.world.now() }
    const read = readWords(words, scene)
    if ('fault' in read) return reply(said(`${escaped(read.fault)} ${OTHERS}`))
    const wanted = {
      project,
      channel_id: asker.channel_id ?? '',
      rhythm: read.rhythm,
      includes: ALL_PARTS,
      if_empty: 'say' as const,
    }
    const came = await setUpDigest(bot, asker, wanted, ANNOUNCE_MS)
    if (came.kind === 'refused') return reply(said(`${came.say} Nothing was set up.`))
    const listed = await listAll(request)
    if (came.kind !== 'twice') return reply(listed)
    const already = `It is there already: ${describeRhythm(read.rhythm)}.`
    return reply({ text: `${already}\n${listed.text}`, blocks: [section(already), ...(listed.blocks ?? [])] })
  })
}

/** What the channel's digest would say at this moment, to the person alone. */
function showNow(request: Request): Promise<void> {
  return withProject(request, async ({ project, fail }) => {
    const { bot, asker, reply } = request
    const { db, world } = bot
    const person = await findPerson(bot, asker)
    const ofProject = (await listHere(request)).find(({ project_id }) => project_id === project.Id)
    const shown = {
      project_id: project.Id,
      project_name: project.Name,
      includes: (ofProject?.includes ?? ALL_PARTS).filter((name) => name !== 'picture'),
    }
    const now = world.now()
    const when = { zone: person.zone, now, at: now, since: undefined }
    const gathered = await gatherDigest(bot, shown, when)
    if ('failure' in gathered) return fail(gathered.failure)
    const { content } = gathered
    const id = world.newId()
    if (isFolded(content)) await keepContent(db, { id, content, kept_at: world.now() })
    return reply(renderDigest(content, { id, open: [] }))
  })
}

const Turned = z.object({
  id: z.uuid(),
  open: z.array(z.string().refine((name): name is PartName => Object.hasOwn(PARTS, name))),
})

/** Folds and unfolds a part, for all who read it. */
async function turn({ bot, words, reply, replace }: Request): Promise<void> {
  const { id, open } = Turned.parse(JSON.parse(words))
  const content = (await findContent(bot.db, id)) as Content | undefined
  if (!content)
    return reply(said('This is too long ago to be unfolded. *All posts* shows what there is now.'))
  return replace(renderDigest(content, { id, open: open as PartName[] }))
}
