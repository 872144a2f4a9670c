import type { ClientUser } from '../protocol.ts'

const ROLE_NAMES: Record<ClientUser['role'], string> = {
  owner: 'owner',
  admin: 'admin',
  member: 'member',
  guest: 'guest',
  single_channel_guest: 'single-channel guest',
  bot: 'app',
  workflow_bot: 'workflow',
}

/** The role of a user, with the name of the workspace if it is another one: "admin, Harbor Press". */
export function describeUser({ role, isDeactivated, otherTeam }: ClientUser): string {
  const status = isDeactivated ? 'deactivated' : ROLE_NAMES[role]
  return otherTeam ? `${status}, ${otherTeam}` : status
}

/** What a message shows beside its author's name, if the author isn't an ordinary member. */
export function describeAuthor({ role, isDeactivated, otherTeam }: ClientUser): string | undefined {
  if (isDeactivated) return 'deactivated'
  return otherTeam ?? (isGuest({ role }) ? ROLE_NAMES[role] : undefined)
}

export const isGuest = ({ role }: Pick<ClientUser, 'role'>): boolean =>
  role === 'guest' || role === 'single_channel_guest'

/** Whether a user is a person with an active account. */
export const isActivePerson = ({ role, isDeactivated }: ClientUser): boolean =>
  role !== 'bot' && role !== 'workflow_bot' && !isDeactivated
