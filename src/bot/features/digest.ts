import { z } from 'zod'
import { findContent, keepContent } from '../../store/digest-contents.ts'
import { type Digest, findDigest } from '../../store/digests.ts'
import { describeRecurrence } from '../../time/recurrence.ts'
import { findPerson, isChannel, refusalFor } from '../asker.ts'
import { changeAll, changeOne, isVerb } from '../digest/change-digests.ts'
import { openToChange, setUp } from '../digest/digest-form.ts'
import { ALL_PARTS, type Content, gatherDigest, PARTS, type PartName } from '../digest/gather.ts'
import { listAll, listHere } from '../digest/list-digests.ts'
import { isFolded, renderDigest } from '../digest/render.ts'
import { ANNOUNCE_MS, setUpDigest } from '../digest/set-up.ts'
import type { Request } from '../feature.ts'
import type { Form } from '../form/form.ts'
import { readWords } from '../form/rhythm-field.ts'
import { escaped, said, section } from '../reply.ts'
import { withProject } from '../with-project.ts'

/** `/upnext digest` alone opens its form. */
export const digest: Form = {
  ...setUp,
  run: async (request) => {
    const { words, asker, reply } = request
    const typed = words.trim().toLowerCase()
    const verb = ALIASES.get(typed) ?? typed
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

/** What people type for it, too. */
const ALIASES = new Map([
  ['status', 'list'],
  ['show', 'list'],
  ['edit', 'list'],
  ['end', 'off'],
  ['stop', 'off'],
  ['delete', 'off'],
  ['remove', 'off'],
  ['start', 'resume'],
])

/** The digest that a button names, for those who may change it. */
async function withDigest(request: Request, then: (digest: Digest) => Promise<void>): Promise<void> {
  const { bot, asker, words, reply } = request
  const refusal = refusalFor(bot, await findPerson(bot, asker, { isAfresh: true }), 'write')
  if (refusal) return reply(said(refusal))
  const found = await findDigest(bot.db, words)
  if (found?.team_id !== asker.team_id) return reply(said('That digest was ended meanwhile.'))
  return then(found)
}

const OTHERS =
  '`/upnext digest` alone opens a form; `now`, `list`, `pause`, `resume` and `off` are what else it knows.'

/** "weekdays at 9am": all of it in one line. */
function setUpInWords(request: Request): Promise<void> {
  return withProject(request, async ({ project }) => {
    const { bot, asker, words, reply } = request
    const person = await findPerson(bot, asker, { isAfresh: true })
    const refusal = refusalFor(bot, person, 'write')
    if (refusal) return reply(said(refusal))
    const scene = { person, now: bot.runtime.now() }
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
    const already = `It is there already: ${describeRecurrence(read.rhythm)}.`
    return reply({ text: `${already}\n${listed.text}`, blocks: [section(already), ...(listed.blocks ?? [])] })
  })
}

/** What the channel's digest would say at this moment, to the person alone. */
function showNow(request: Request): Promise<void> {
  return withProject(request, async ({ project, fail }) => {
    const { bot, asker, reply } = request
    const { db, runtime } = bot
    const person = await findPerson(bot, asker)
    const ofProject = (await listHere(request)).find(({ project_id }) => project_id === project.Id)
    const shown = {
      project_id: project.Id,
      project_name: project.Name,
      includes: (ofProject?.includes ?? ALL_PARTS).filter((name) => name !== 'picture'),
    }
    const now = runtime.now()
    const when = { zone: person.zone, now, at: now, since: undefined }
    const gathered = await gatherDigest(bot, shown, when)
    if ('failure' in gathered) return fail(gathered.failure)
    const { content } = gathered
    const id = runtime.newId()
    if (isFolded(content)) await keepContent(db, { id, content, kept_at: runtime.now() })
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
