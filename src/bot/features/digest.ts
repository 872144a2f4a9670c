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
import type { Rhythm } from '../../time/rhythm.ts'
import { findPerson, isChannel, refusalFor } from '../asker.ts'
import { describeDigest } from '../digest/describe-digest.ts'
import { openToChange, setUp, TOO_LATE } from '../digest/digest-form.ts'
import { ALL_PARTS, type Content, gatherDigest, PARTS, type PartName } from '../digest/gather.ts'
import { isFolded, renderDigest } from '../digest/render.ts'
import { comingOf, nextRun, setUpDigest } from '../digest/set-up.ts'
import type { Request } from '../feature.ts'
import type { Form } from '../form/form.ts'
import { readWords, saying } from '../form/rhythm-field.ts'
import { buttons, escaped, type Reply, said, section } from '../reply.ts'
import { withProject } from '../with-project.ts'

/** `/upnext digest` alone opens its form. */
export const digest: Form = {
  ...setUp,
  run: async (request) => {
    const { words, asker, reply } = request
    const verb = words.trim().toLowerCase()
    if (!verb) return setUp.run(request)
    if (verb === 'now') return showNow(request)
    if (verb === 'list') return reply(await listAll(request))
    if (!isChannel(asker.channel_id))
      return reply(said('A digest is for a channel: say this in one, or choose one with `/upnext digest`.'))
    const change = CHANGES[verb]
    return change ? changeAll(request, change) : setUpInWords(request)
  },
  actions: {
    ...setUp.actions,
    'digest:edit': (request) => withDigest(request, (one) => openToChange(request, one)),
    'digest:pause': (request) => withDigest(request, (one) => changeOne(request, one, pause)),
    'digest:resume': (request) => withDigest(request, (one) => changeOne(request, one, resume)),
    'digest:off': (request) => withDigest(request, (one) => changeOne(request, one, off)),
    ...Object.fromEntries(Object.keys(PARTS).map((name) => [`digest:turn:${name}`, turn])),
  },
}

const EXAMPLE = '`/upnext digest weekdays at 9am`'

type Change = (request: Request, digest: Digest) => Promise<Withdrawn | 'gone'>

const pause: Change = ({ bot }, one) => pauseDigest(bot.db, one, bot.world.now())

const resume: Change = async ({ bot }, one) => {
  await resumeDigest(bot.db, one.id, await nextRun(bot, one))
  return { isTooLate: false }
}

const off: Change = ({ bot }, one) => removeDigest(bot.db, one, bot.world.now())

const CHANGES: Record<string, Change> = { pause, resume, off }

async function changeAll(request: Request, change: Change): Promise<void> {
  const { bot, asker, reply } = request
  const refusal = refusalFor(bot, await findPerson(bot, asker, { isAfresh: true }), 'write')
  if (refusal) return reply(said(refusal))
  const digests = await listHere(request)
  if (!digests.length) return reply(said(`There is no digest here. ${EXAMPLE} sets one up.`))
  const changed: (Withdrawn | 'gone')[] = []
  for (const one of digests) changed.push(await change(request, one))
  await reply(await listAll(request, changed.some(isLate)))
}

async function changeOne(request: Request, one: Digest, change: Change): Promise<void> {
  const changed = await change(request, one)
  await request.replace(await listAll(request, isLate(changed)))
}

const isLate = (changed: Withdrawn | 'gone') => changed !== 'gone' && changed.isTooLate

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

/** How all of them here stand: the channel's, or elsewhere those of whoever asks. */
async function listAll(request: Request, isTooLate = false): Promise<Reply> {
  const { bot, asker } = request
  const digests = await listHere(request)
  const isHere = isChannel(asker.channel_id)
  const here = isHere ? `<#${asker.channel_id}>` : 'No channel'
  const none = isHere ? 'has no digest' : 'has a digest of yours'
  const tooLate = isTooLate ? TOO_LATE : ''
  if (!digests.length)
    return said([`${here} ${none}. ${EXAMPLE} sets one up.`, tooLate].filter(Boolean).join('\n'))
  const { zone } = await findPerson(bot, asker)
  const reader = { zone, now: bot.world.now() }
  const coming = await comingOf(bot, digests)
  const lines = digests.map((one) => {
    const where = isHere ? '' : `<#${one.channel_id}> `
    return { one, line: `• ${where}${describeDigest(one, coming, reader)}` }
  })
  const title = isHere ? `${here} gets:` : 'Your digests:'
  return {
    text: [title, ...lines.map(({ line }) => line), tooLate].filter(Boolean).join('\n'),
    blocks: [
      section(title),
      ...lines.slice(0, MOST_LISTED).flatMap(({ one, line }) => [section(line), ...buttonsFor(one)]),
      ...(lines.length > MOST_LISTED ? [section(`and ${lines.length - MOST_LISTED} more.`)] : []),
      ...(tooLate ? [section(tooLate)] : []),
    ],
  }
}

const MOST_LISTED = 15

const buttonsFor = ({ id, paused_for }: Digest) =>
  buttons(
    { action_id: 'digest:edit', label: 'Edit', value: id },
    paused_for
      ? { action_id: 'digest:resume', label: 'Resume', value: id }
      : { action_id: 'digest:pause', label: 'Pause', value: id },
    { action_id: 'digest:off', label: 'End', value: id },
  )

/** For Slack's answer to what is typed; nobody waits three seconds with a form open. */
const ANNOUNCE_MS = 8000

/** "weekdays at 9am": all of it in one line. */
function setUpInWords(request: Request): Promise<void> {
  return withProject(request, async ({ project }) => {
    const { bot, asker, words, reply } = request
    const person = await findPerson(bot, asker, { isAfresh: true })
    const refusal = refusalFor(bot, person, 'write')
    if (refusal) return reply(said(refusal))
    const scene = { person, now: bot.world.now() }
    const read = readWords(words, scene)
    if ('fault' in read) return reply(said(escaped(read.fault)))
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
    const already = `It is there already: ${escaped(saying(read.rhythm, scene))}.`
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
    const zone = ofProject ? (ofProject.rhythm as Rhythm).zone : person.zone
    const now = world.now()
    const gathered = await gatherDigest(bot, shown, { zone, now, at: now, since: undefined })
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
