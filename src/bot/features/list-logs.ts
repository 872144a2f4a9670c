import { DateTime } from 'luxon'
import { type Log, readLogs } from '../../api/records.ts'
import { findPerson } from '../asker.ts'
import type { Feature, Request } from '../feature.ts'
import { firstPage, pageButtons, type Turned, turning } from '../pages.ts'
import type { Reader } from '../posts.ts'
import { escaped, section, shortened } from '../reply.ts'
import { withProject } from '../with-project.ts'

const PAGE = 10

export const listLogs: Feature = {
  verb: 'logs',
  command: '/list-logs',
  usage: '[word]',
  help: 'Shows what happened in the project, newest first; a word narrows it down.',
  run: (request) => showPage(request, firstPage(request.words)),
  actions: {
    'logs:show': (request) => showPage(request, firstPage('')),
    ...turning('logs', showPage),
  },
}

function showPage(request: Request, { words, page, project_id }: Turned): Promise<void> {
  return withProject(
    request,
    async ({ project, fail }) => {
      const { bot, asker, reply } = request
      const path = { project_id: project.Id }
      const [outcome, person] = await Promise.all([
        bot.api.GET('/api/v1/projects/{project_id}/logs', { params: { path } }),
        findPerson(bot, asker),
      ])
      if (outcome.kind !== 'ok') return fail(outcome)
      const wanted = words.trim().toLowerCase()
      const reader = { zone: person.zone, now: bot.runtime.now() }
      // What is looked for is what can be read.
      const found = readLogs(outcome.data)
        .items.sort((one, other) => timeOf(other) - timeOf(one))
        .map((log) => lineOf(log, reader))
        .filter((line) => line.toLowerCase().includes(escaped(wanted)))
      const name = escaped(project.Name)
      const which = wanted ? `with "${escaped(words.trim())}" in ${name}` : `of ${name}`
      if (!found.length) {
        const text = `There are no log entries ${which}.`
        return reply({ text, blocks: [section(text)] })
      }
      const start = page * PAGE
      const lines = found.slice(start, start + PAGE)
      return reply({
        text: `Log ${which}`,
        blocks: [
          section(`*Log ${which}*`),
          section(lines.join('\n')),
          ...pageButtons({
            action_id: 'logs',
            words,
            page,
            project_id: project.Id,
            more: found.length > start + PAGE,
          }),
        ],
      })
    },
    project_id,
  )
}

const timeOf = ({ CreatedAt = '' }: Log) => Date.parse(CreatedAt) || 0

function lineOf(log: Log, { zone }: Reader): string {
  const at = log.CreatedAt ? DateTime.fromISO(log.CreatedAt, { zone }) : undefined
  const when = at?.isValid ? `\`${at.toFormat('d LLL HH:mm')}\` ` : ''
  // What cannot be read is shown as it came.
  const what = log.Message ?? log.Action ?? JSON.stringify(log.raw)
  const level = log.Level && !/^info$/i.test(log.Level) ? `*${escaped(log.Level)}* ` : ''
  return `${when}${level}${escaped(shortened(what, 180))}${log.Actor ? ` · ${escaped(log.Actor)}` : ''}`
}
