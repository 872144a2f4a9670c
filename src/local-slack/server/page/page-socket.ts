import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { ActionResponse, StatePatch } from '../../protocol.ts'
import { readJson } from '../json.ts'
import { type ActionContext, failure, type UserAction } from '../user-actions/user-action.ts'
import { userActions } from '../user-actions/user-actions.ts'
import { trackOpenPage } from '../workspace/sessions.ts'
import type { WorkspaceEvent } from '../workspace/workspace-events.ts'
import { buildClientState, buildPatch } from './client-state.ts'

const ActionRequest = z.object({
  id: z.number(),
  action: z.enum(Object.keys(userActions) as [keyof typeof userActions]),
  args: z.unknown(),
})

/** Connects a page: sends it the client state and all changes, and runs its user's actions. */
export function connectPage(socket: WebSocket, context: ActionContext): void {
  const { slack, session } = context
  const send = (frame: StatePatch | ActionResponse) => socket.send(JSON.stringify(frame))
  const stopTracking = trackOpenPage(slack, session)
  const listener = (event: WorkspaceEvent) => {
    const patch = buildPatch(slack, session, event)
    if (patch) send(patch)
  }
  slack.listeners.add(listener)
  socket.on('close', () => {
    slack.listeners.delete(listener)
    stopTracking()
  })
  socket.on('error', () => socket.terminate())
  socket.on('message', async (data) => {
    const request = ActionRequest.safeParse(readJson(String(data))).data
    if (!request) return socket.close(1003, 'This is not an action request.')
    send({ id: request.id, result: await runAction(context, request) })
  })
  send({ type: 'state', state: buildClientState(slack, session) })
}

async function runAction(
  context: ActionContext,
  { action, args }: z.output<typeof ActionRequest>,
): Promise<unknown> {
  // Every action validates its own arguments.
  const run = userActions[action] as UserAction<unknown, unknown>
  try {
    return await run(context, args)
  } catch (error) {
    context.slack.log(error)
    return failure('Something went wrong in the local Slack. See its log.')
  }
}
