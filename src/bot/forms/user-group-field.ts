import type { Actor } from '../slack/actor.ts'
import type { Bot } from '../slack/bot.ts'
import type { Choice } from '../slack/message-blocks.ts'
import { USER_GROUPS_SCOPE } from '../slack/user-groups.ts'
import { type Field, optional } from './field.ts'
import { searchAmong, searchSelect, UNAVAILABLE_CHOICE } from './fields.ts'

type User = { bot: Bot; actor: Actor }

export const userGroupField = (label: string): Field<string> =>
  optional(
    searchSelect(
      label,
      searchAmong(
        async ({ bot, actor }) => (await bot.userGroups.list(actor.client)) ?? [UNAVAILABLE_CHOICE],
      ),
    ),
  )

const mayPick = ({ bot, actor }: User): boolean => bot.scopes.mayUse(actor.client, USER_GROUPS_SCOPE)

/** Without the optional permission, a form can't offer user groups. */
export const missingUserGroup = (user: User): { user_group?: string } =>
  mayPick(user)
    ? {}
    : {
        user_group:
          'To pick a user group, an admin of the workspace has to give Upnext the permission "usergroups:read".',
      }

/** A form that can't offer user groups doesn't take one away. */
export const pickedUserGroup = (
  user: User,
  picked: string | undefined,
  before: string | null | undefined,
): string | null => (mayPick(user) ? picked : before) ?? null

/** The user group as the form's menu shows it. */
export async function toUserGroupChoice(
  { bot, actor }: User,
  user_group: string | null | undefined,
): Promise<Choice | undefined> {
  if (!user_group) return undefined
  const groups = await bot.userGroups.list(actor.client)
  return groups?.find(({ value }) => value === user_group) ?? { value: user_group, label: user_group }
}
