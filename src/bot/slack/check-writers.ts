import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'
import { joinNames, mentionUser } from './message-blocks.ts'
import { findWriters } from './settings-store.ts'
import type { Writers } from './tables.ts'

type Refusal = { kind: 'refused' | 'unknown'; message: string }

/** Returns why the user can't change a project that is restricted to certain writers. Admins skip this check. */
export async function checkWriters(
  { db, userGroups }: Pick<Bot, 'db' | 'userGroups'>,
  { client, team_id, user_id }: Actor,
  project_id: string,
): Promise<Refusal | undefined> {
  const writers = await findWriters(db, { team_id, project_id })
  if (!writers || writers.people.includes(user_id)) return undefined
  const group = writers.user_group
  // Slack allows about 20 lookups a minute, so an answer up to a minute old is good enough.
  const members = group ? await userGroups.findMembers(client, group, { isFresh: false }) : []
  if (!members) return { kind: 'unknown', message: UNKNOWN_MEMBERS }
  if (members.includes(user_id)) return undefined
  return {
    kind: 'refused',
    message: `Only ${joinNames(mentionWriters(writers), ['the admins'])} may change this project. Ask one of them.`,
  }
}

const UNKNOWN_MEMBERS =
  "Couldn't check with Slack who is in the user group that may change this project, so nothing was done. Try again in a minute."

/** Mentions of the people and the user group. */
export const mentionWriters = ({ people, user_group }: Writers): string[] => [
  ...people.map(mentionUser),
  ...(user_group ? [`<!subteam^${user_group}>`] : []),
]
