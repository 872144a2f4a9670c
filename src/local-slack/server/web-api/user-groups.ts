import { flag, text } from './args.ts'
import { defineMethod, errorResponse } from './method.ts'

export const userGroupMethods = [
  defineMethod('usergroups.list', {
    tier: 2,
    scopes: ['usergroups:read'],
    args: { include_users: flag, include_count: flag, include_disabled: flag },
    run: ({ slack, args }) => ({
      ok: true,
      usergroups: [...slack.userGroups.values()].map(({ id, handle, name, members }) => ({
        id,
        team_id: slack.team.id,
        is_usergroup: true,
        is_subteam: true,
        is_external: false,
        name,
        handle,
        description: '',
        date_delete: 0,
        ...(args.include_users && { users: members }),
        ...(args.include_count && { user_count: members.length }),
      })),
    }),
  }),

  defineMethod('usergroups.users.list', {
    tier: 2,
    scopes: ['usergroups:read'],
    args: { usergroup: text, include_disabled: flag },
    run: ({ slack, args }) => {
      const group = slack.userGroups.get(args.usergroup)
      return group ? { ok: true, users: group.members } : errorResponse('no_such_subteam')
    },
  }),
]
