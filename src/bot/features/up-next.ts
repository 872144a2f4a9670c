import { readPost } from '../../api/records.ts'
import { findPerson, refusalFor } from '../asker.ts'
import type { Feature, Request } from '../feature.ts'
import { platformsOf, postBlocks, whenOf } from '../posts.ts'
import { buttons, context, escaped, said, section } from '../reply.ts'
import { withProject } from '../with-project.ts'

export const upNext: Feature = {
  verb: 'next',
  command: '/upnext',
  usage: '',
  help: 'Shows the post that goes out next.',
  run: (request) => showNext(request, 'one'),
  actions: {
    'next:show': (request) => showNext(request, 'one', request.words),
    'next:share': (request) => showNext(request, 'all', request.words),
  },
}

function showNext(request: Request, to: 'one' | 'all', project_id?: string): Promise<void> {
  return withProject(
    request,
    async ({ project, fail }) => {
      const { bot, asker, reply, share } = request
      const path = { project_id: project.Id }
      const [outcome, person] = await Promise.all([
        bot.api.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', { params: { path } }),
        findPerson(bot, asker),
      ])
      if (outcome.kind !== 'ok' && outcome.kind !== 'not-found') return fail(outcome)
      const post = outcome.kind === 'ok' ? readPost(outcome.data) : undefined
      const name = escaped(project.Name)
      if (!post) {
        const text = `Nothing is scheduled in ${name}. \`/schedule-post\` changes that.`
        return reply({ text, blocks: [section(text), ...buttons(SCHEDULE)] })
      }
      const reader = { zone: person.zone, now: bot.runtime.now(), isEverybody: to === 'all' }
      const shown = {
        text: `Up next in ${name}: ${whenOf(post, reader)}, ${platformsOf(post)}`,
        blocks: [section(`*Up next in ${name}*`), ...postBlocks(post, reader)],
      }
      if (to === 'all') {
        const refusal = refusalFor(bot, person, 'write')
        if (refusal) return reply(said(refusal))
        return share({ ...shown, blocks: [...shown.blocks, context(`Shared by <@${asker.user_id}>`)] })
      }
      return reply({
        ...shown,
        blocks: [
          ...shown.blocks,
          ...buttons(SCHEDULE, SHARE),
          context('`/upnext help` lists what else there is.'),
        ],
      })
    },
    project_id,
  )
}

const SCHEDULE = { action_id: 'schedule:open', label: 'Schedule a post' }
const SHARE = { action_id: 'next:share', label: 'Share in channel' }
