import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { ActionResponse, StatePatch } from '../../protocol.ts'
import { readJson } from '../json.ts'
import type { Scene, UserAction } from '../person/deed.ts'
import { failed } from '../person/deed.ts'
import { userActions } from '../person/deeds.ts'
import { keepDesk } from '../workspace/desks.ts'
import type { Happening } from '../workspace/happenings.ts'
import { newsFor, seenAt } from './seen.ts'

const Asked = z.object({
  id: z.number(),
  action: z.enum(Object.keys(userActions) as [keyof typeof userActions]),
  args: z.unknown(),
})

/** One page: it hears of what changes, and asks for what its person does. */
export function connectPage(socket: WebSocket, scene: Scene): void {
  const { slack, desk } = scene
  const send = (frame: StatePatch | ActionResponse) => socket.send(JSON.stringify(frame))
  const leave = keepDesk(slack, desk)
  const listener = (happening: Happening) => {
    const news = newsFor(slack, desk, happening)
    if (news) send(news)
  }
  slack.listeners.add(listener)
  socket.on('close', () => {
    slack.listeners.delete(listener)
    leave()
  })
  socket.on('error', () => socket.terminate())
  socket.on('message', async (data) => {
    const asked = Asked.safeParse(readJson(String(data))).data
    if (!asked) return socket.close(1003, 'This is not what a page says.')
    send({ id: asked.id, result: await perform(scene, asked) })
  })
  send({ type: 'state', state: seenAt(slack, desk) })
}

async function perform(scene: Scene, { action, args }: z.output<typeof Asked>): Promise<unknown> {
  const run = userActions[action] as UserAction<unknown, unknown> // Each looks at what it is given itself.
  try {
    return await run(scene, args)
  } catch (error) {
    scene.slack.log(error)
    return failed('Something went wrong in this Slack; its log says what.')
  }
}
