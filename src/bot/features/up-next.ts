import type { KnownBlock } from '@slack/types'
import { readPost } from '../../api/records.ts'
import { findPerson } from '../asker.ts'
import type { Feature, Request } from '../feature.ts'
import { platformsOf, postBlock, whenOf } from '../posts.ts'
import { context, escaped, section } from '../reply.ts'
import { withProject } from '../with-project.ts'

export const upNext: Feature = {
  verb: 'next',
  command: '/upnext',
  usage: '',
  help: 'Shows the post that goes out next.',
  run: (request) => showNext(request, 'one'),
  actions: { 'next:share': (request) => showNext(request, 'all') },
}

function showNext(request: Request, to: 'one' | 'all'): Promise<void> {
  return withProject(request, async ({ project, fail }) => {
    const { bot, asker, reply, share } = request
    const path = { project_id: project.Id }
    const [outcome, person] = await Promise.all([
      bot.api.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', { params: { path } }),
      findPerson(bot, asker),
    ])
    if (outcome.kind !== 'ok' && outcome.kind !== 'not-found') return fail(outcome)
    const post = outcome.kind === 'ok' ? readPost(outcome.data) : undefined
    const name = escaped(project.Name)
    if (!post?.ScheduleDate) {
      const text = `Nothing is scheduled in ${name}. \`/schedule-post\` changes that.`
      return reply({ text, blocks: [section(text)] })
    }
    const reader = { zone: person.zone, now: bot.world.now() }
    const shown = {
      text: `Up next in ${name}: ${whenOf(post, reader)}, ${platformsOf(post)}`,
      blocks: [section(`*Up next in ${name}*`), postBlock(post, reader)],
    }
    if (to === 'all') return share(shown)
    return reply({
      ...shown,
      blocks: [...shown.blocks, BUTTONS, context('`/upnext help` lists what else there is.')],
    })
  })
}

const button = (action_id: string, text: string) => ({
  type: 'button' as const,
  action_id,
  text: { type: 'plain_text' as const, text },
})

const BUTTONS: KnownBlock = {
  type: 'actions',
  elements: [button('schedule:open', 'Schedule a post'), button('next:share', 'Share in channel')],
}
