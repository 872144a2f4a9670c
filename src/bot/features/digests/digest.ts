import { describeRecurrence } from '../../../time/recurrence.ts'
import type { Form } from '../../forms/form.ts'
import { parseRecurrence } from '../../forms/recurrence-field.ts'
import { isChannelId } from '../../slack/actor.ts'
import { recordAction } from '../../slack/audit.ts'
import { replyWithFailure } from '../../slack/errors.ts'
import { type Action, type Handler, noProject, type Request } from '../../slack/feature.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import { accessForModal, VIEW_ACCESS, WRITE_ACCESS } from '../../slack/permissions.ts'
import { resolveProject } from '../../slack/projects.ts'
import { changeAllDigests, changeDigest, saveDigest } from './change-digests.ts'
import { DEFAULT_SETTINGS, digestForm, editDigest } from './digest-form.ts'
import { listDigestsHere, renderDigestList } from './digest-list.ts'
import { findContent } from './digest-store.ts'
import { ALL_SECTIONS, gatherContent } from './gather-content.ts'
import { EXPAND_ACTION_PREFIX, Expansion, renderDigest, renderNewDigest } from './render-digest.ts'

/** Without further text, `/upnext digest` opens the form. */
export const digestCommand: Form = {
  ...digestForm,
  access: (text) => {
    const subcommand = readSubcommand(text)
    if (subcommand === 'form') return accessForModal(digestForm.permission, digestForm.title)
    return subcommand === 'now' || subcommand === 'list' ? VIEW_ACCESS : WRITE_ACCESS
  },
  run: async (request) => {
    const subcommand = readSubcommand(request.text)
    if (subcommand === 'form') return digestForm.run(request)
    if (subcommand === 'now') return showNow(request)
    if (subcommand === 'list') return request.reply(await renderDigestList(request))
    if (!isChannelId(request.actor.channel_id))
      return request.reply(
        textReply('Digests are for channels. Type this in one, or pick one with `/upnext digest`.'),
      )
    return subcommand === 'recurrence' ? setUpFromWords(request) : changeAllDigests(request, subcommand)
  },
  actions: {
    ...digestForm.actions,
    'digest:edit': {
      access: accessForModal(digestForm.permission, digestForm.title),
      projectOf: noProject,
      run: editDigest,
    },
    'digest:pause': digestAction((request) => changeDigest(request, 'pause')),
    'digest:resume': digestAction((request) => changeDigest(request, 'resume')),
    'digest:delete': digestAction((request) => changeDigest(request, 'delete')),
    'digest:delete-all': digestAction((request) =>
      changeAllDigests({ ...request, reply: request.replace }, 'delete', { until: request.text }),
    ),
    ...Object.fromEntries(
      ALL_SECTIONS.map((name) => [EXPAND_ACTION_PREFIX + name, { access: VIEW_ACCESS, run: expandSection }]),
    ),
  },
}

/** A digest belongs to its channel, so changing it changes no project. */
function digestAction(run: Handler): Action {
  return { access: WRITE_ACCESS, projectOf: noProject, run }
}

const SUBCOMMANDS = {
  form: [''],
  now: ['now'],
  list: ['list', 'status', 'show', 'edit'],
  pause: ['pause'],
  resume: ['resume', 'start'],
  delete: ['delete', 'remove', 'off', 'end', 'stop'],
}

type Subcommand = keyof typeof SUBCOMMANDS

/** Returns "recurrence" for any text that isn't a subcommand. */
function readSubcommand(text: string): Subcommand | 'recurrence' {
  const names = Object.keys(SUBCOMMANDS) as Subcommand[]
  return names.find((name) => SUBCOMMANDS[name].includes(text.trim().toLowerCase())) ?? 'recurrence'
}

const SUBCOMMAND_HINT =
  '`/upnext digest` opens a form. You can also type `now`, `list`, `pause`, `resume` or `delete` after it.'

/** Sets up a digest from words such as "weekdays at 9am". */
async function setUpFromWords(request: Request): Promise<void> {
  const { bot, actor, viewer, text, reply } = request
  const project = await resolveProject(request)
  if (!project) return
  const reading = parseRecurrence(text, viewer)
  if ('error' in reading) return reply(textReply(`${escapeText(reading.error)} ${SUBCOMMAND_HINT}`))
  const { recurrence } = reading
  const { channel_id = '' } = actor
  const settings = { channel_id, recurrence, ...DEFAULT_SETTINGS }
  const result = await saveDigest({ bot, actor, project }, settings)
  if (result.kind === 'saved')
    await recordAction(request, {
      action: 'digest',
      project_id: project.Id,
      target: result.Id,
      after: { ...settings, recurrence: describeRecurrence(recurrence) },
    })
  if (result.kind === 'refused') return reply(textReply(`${result.message} No digest was set up.`))
  const message = `This digest already exists: ${describeRecurrence(recurrence)}.`
  return reply(await renderDigestList(request, result.kind === 'duplicate' ? [message] : []))
}

/** Shows the user what the channel's digest would say now. */
async function showNow(request: Request): Promise<void> {
  const { bot, actor, profile, reply } = request
  const project = await resolveProject(request)
  if (!project) return
  const { Id: project_id, Name: project_name } = project
  const digests = await listDigestsHere(request)
  const projectDigest = digests.find((digest) => digest.project_id === project_id)
  const listed = (projectDigest?.sections ?? ALL_SECTIONS).filter((name) => name !== 'chart')
  const sections = listed.length ? listed : ['upcoming' as const]
  const now = bot.runtime.now()
  const time = { zone: profile.zone, now, at: now, since: null }
  const digest = { team_id: actor.team_id, project_id, project_name, sections }
  const gathered = await gatherContent(bot, digest, time)
  if ('failure' in gathered) return replyWithFailure(request, gathered.failure)
  return reply(await renderNewDigest(bot, actor.team_id, gathered.content))
}

/** Expands or collapses a section, for everyone who sees the message. */
async function expandSection({ bot, text, reply, replace }: Request): Promise<void> {
  const expansion = Expansion.parse(JSON.parse(text))
  const content = await findContent(bot.db, expansion.id)
  if (!content)
    return reply(textReply('This digest is too old to expand. Press *All posts* for the current posts.'))
  return replace(renderDigest(content, expansion))
}
