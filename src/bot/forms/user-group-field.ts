import type { Actor } from '../slack/actor.ts'
import type { Bot } from '../slack/bot.ts'
import type { Choice } from '../slack/message-blocks.ts'
import { USER_GROUPS_SCOPE } from '../slack/user-groups.ts'
import { type Field, optional } from './field.ts'
import { LOAD_FAILED_CHOICE, searchAmong, searchSelectField } from './fields.ts'

type User = { bot: Bot; actor: Actor }

export const userGroupField = (label: string): Field<string> =>
  optional(
    searchSelectField(
      label,
      searchAmong(
        async ({ bot, actor }) => (await bot.userGroups.list(actor.client)) ?? [LOAD_FAILED_CHOICE],
      ),
    ),
  )

const mayPickUserGroup = ({ bot, actor }: User): boolean => bot.scopes.mayUse(actor.client, USER_GROUPS_SCOPE)

/** For a form's `unavailableFields`: without the optional permission, it can't offer user groups. */
export const explainUnavailableUserGroup = (user: User): { user_group?: string } =>
  mayPickUserGroup(user)
    ? {}
    : {
        user_group:
          'You can pick a user group once an admin of this workspace gives Upnext the permission "usergroups:read".',
      }

/** Returns the group to save. If Upnext can't list user groups, an empty field keeps the earlier group. */
export const resolveUserGroup = (
  user: User,
  pickedGroup: string | undefined,
  earlierGroup: string | null | undefined,
): string | null => pickedGroup ?? (mayPickUserGroup(user) ? null : earlierGroup) ?? null

/** The user group as the form's menu shows it. */
export async function toUserGroupChoice(
  { bot, actor }: User,
  user_group: string | null | undefined,
): Promise<Choice | undefined> {
  if (!user_group) return undefined
  const groups = await bot.userGroups.list(actor.client)
  return groups?.find(({ value }) => value === user_group) ?? { value: user_group, label: user_group }
}
