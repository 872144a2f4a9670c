import type { HttpTransport } from '../delivery/http-transport.ts'
import type { DisconnectReason } from '../delivery/transport.ts'
import type { FaultInjection } from '../web-api/fault-injection.ts'
import type { AppPayload, Role } from '../workspace/entities.ts'
import type { Slack } from '../workspace/slack.ts'
import { expireTriggers } from '../workspace/triggers.ts'
import { addUser, findUserByHandle, updateUser } from '../workspace/users.ts'
import { emitEvent } from '../workspace/workspace-events.ts'

type UserChange = {
  user: string
  role?: Exclude<Role, 'bot' | 'workflow_bot'> | undefined
  deactivated?: boolean | undefined
}

/** What a test can do to the local Slack beyond what its users can do. */
export type Controls = {
  /** Changes the role of the user with this handle, or deactivates or reactivates the user. */
  updateUser: (change: UserChange) => void
  /** Adds a member to the workspace. The app gets the event team_join. */
  addUser: (user: { handle: string; name: string; tz?: string | undefined }) => void
  /** Puts the users with these handles into the group with this handle, and no others. */
  changeUserGroup: (group: { handle: string; members: string[] }) => void
  /** Makes the next calls of a method fail, take longer, or lose their response. */
  injectFault: (fault: Omit<FaultInjection, 'times'> & { times?: number | undefined }) => void
  clearFaults: () => void
  /** Everything that the app sent, with its errors. */
  appPayloads: () => AppPayload[]
  clearAppPayloads: () => void
  advanceClock: (by: { seconds: number }) => void
  now: () => Date
  /** Closes the app's Socket Mode connections and returns how many there were. */
  disconnectSockets: (reason: DisconnectReason) => number
  socketCount: () => number
  expireTriggers: () => void
  /** Sends the url_verification challenge to the events URL. Returns what went wrong, if anything did. */
  verifyUrl: () => Promise<string | undefined>
}

export function createControls(slack: Slack, http: HttpTransport | undefined): Controls {
  return {
    updateUser({ user: handle, role, deactivated }) {
      const user = findUserByHandle(slack, handle)
      if (!user) throw Object.assign(new Error(`No user is called "${handle}".`), { statusCode: 400 })
      updateUser(slack, user, {
        ...(role && { role }),
        ...(deactivated !== undefined && { isDeactivated: deactivated }),
      })
    },
    addUser({ handle, name, tz }) {
      if (findUserByHandle(slack, handle))
        throw Object.assign(new Error(`There is already a user called "${handle}".`), { statusCode: 400 })
      const details = { title: '', role: 'member', locale: 'en-US', deactivated: false } as const
      const user = addUser(slack, slack.team, { ...details, handle, name, tz })
      emitEvent(slack, { type: 'user_joined', user })
    },
    changeUserGroup({ handle, members }) {
      const group = [...slack.userGroups.values()].find((one) => one.handle === handle)
      if (!group) throw Object.assign(new Error(`No group is called "${handle}".`), { statusCode: 400 })
      group.members = members.map((name) => {
        const user = findUserByHandle(slack, name)
        if (!user) throw Object.assign(new Error(`No user is called "${name}".`), { statusCode: 400 })
        return user.id
      })
    },
    injectFault({ times = 1, ...fault }) {
      slack.injectedFaults.push({ ...fault, times })
    },
    clearFaults() {
      slack.injectedFaults = []
    },
    appPayloads: () => slack.appPayloads,
    clearAppPayloads() {
      slack.appPayloads = []
    },
    advanceClock: ({ seconds }) => slack.clock.moveBy(seconds * 1000),
    now: slack.clock.now,
    disconnectSockets: (reason) => slack.socketMode?.disconnectSockets(reason) ?? 0,
    socketCount: () => slack.socketMode?.countSockets() ?? 0,
    expireTriggers: () => expireTriggers(slack),
    verifyUrl: async () => (http ? http.verifyUrl() : 'the app uses Socket Mode'),
  }
}
