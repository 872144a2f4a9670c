import { join } from 'node:path'
import { z } from 'zod'
import { PACKAGE_FOLDER } from './package-folder.ts'
import { readYamlFile } from './yaml-file.ts'

const handle = z
  .string()
  .regex(/^[a-z0-9._-]{1,21}$/, 'must be up to 21 lowercase letters, digits, dots, dashes or underscores')

export const isTimeZone = (tz: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: tz }))
  } catch {
    return false
  }
}

const teamFields = { name: z.string().min(1), domain: z.string().regex(/^[a-z0-9-]+$/) }

const SeedUser = z.object({
  handle,
  name: z.string().min(1).max(80),
  email: z.email().optional(),
  title: z.string().default(''),
  role: z
    .enum(['owner', 'admin', 'member', 'guest', 'single_channel_guest', 'bot', 'workflow_bot'])
    .default('member'),
  deactivated: z.boolean().default(false),
  tz: z.string().refine(isTimeZone, 'unknown time zone').optional(),
  locale: z.string().default('en-US'),
})

const Seed = z
  .object({
    team: z.object(teamFields),
    /** The organization of the workspace, if it is part of an Enterprise Grid. */
    enterprise: z.object(teamFields).optional(),
    /** Other workspaces, with which channels can be shared. */
    other_teams: z
      .array(
        z.object({ ...teamFields, same_enterprise: z.boolean().default(false), users: z.array(SeedUser) }),
      )
      .default([]),
    users: z.array(SeedUser).min(1),
    channels: z
      .array(
        z.object({
          name: z
            .string()
            .regex(
              /^[\p{Ll}\p{Lo}\p{N}_-]{1,80}$/u,
              'must be up to 80 lowercase letters, digits, dashes or underscores',
            ),
          private: z.boolean().default(false),
          topic: z.string().max(250).default(''),
          purpose: z.string().max(250).default(''),
          members: z.array(handle),
          /** The domains of the other workspaces that share the channel. */
          shared_with: z.array(z.string()).default([]),
          app: z.boolean().default(false),
          messages: z.array(z.object({ from: handle, text: z.string().min(1).max(4000) })).default([]),
        }),
      )
      .min(1),
    user_groups: z.array(z.object({ handle, name: z.string().min(1), members: z.array(handle) })).default([]),
  })
  .superRefine(({ team, enterprise, other_teams, users, channels, user_groups }, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const everyone = [
      ...users.map((user, index) => ({ ...user, domain: team.domain, path: ['users', index] })),
      ...other_teams.flatMap(({ domain, users }, team) =>
        users.map((user, index) => ({ ...user, domain, path: ['other_teams', team, 'users', index] })),
      ),
    ]
    const complainAboutDuplicates = (named: { name: string; path: (string | number)[] }[]) =>
      named.forEach(({ name, path }, index) => {
        if (named.findIndex((other) => other.name === name) < index)
          complain(path, `"${name}" is already taken`)
      })
    complainAboutDuplicates(everyone.map(({ handle, path }) => ({ name: handle, path })))
    complainAboutDuplicates(channels.map(({ name }, index) => ({ name, path: ['channels', index] })))
    complainAboutDuplicates([
      { name: team.domain, path: ['team'] },
      ...other_teams.map(({ domain }, index) => ({ name: domain, path: ['other_teams', index] })),
    ])
    other_teams.forEach(({ same_enterprise }, index) => {
      if (same_enterprise && !enterprise)
        complain(['other_teams', index], 'same_enterprise needs an enterprise')
    })
    channels.forEach(({ members, messages, shared_with }, index) => {
      const path = ['channels', index]
      for (const domain of shared_with)
        if (!other_teams.some((other) => other.domain === domain))
          complain(path, `no other team has the domain "${domain}"`)
      for (const name of [...members, ...messages.map(({ from }) => from)]) {
        const user = everyone.find(({ handle }) => handle === name)
        if (!user) complain(path, `no user is called "${name}"`)
        else if (![team.domain, ...shared_with].includes(user.domain))
          complain(path, `the channel is not shared with the team of "${name}"`)
      }
    })
    user_groups.forEach(({ members }, index) => {
      for (const name of members)
        if (!everyone.some(({ handle }) => handle === name))
          complain(['user_groups', index], `no user is called "${name}"`)
    })
    for (const { handle, role, path } of everyone) {
      const joined = channels.filter(({ members }) => members.includes(handle))
      if (role === 'single_channel_guest' && joined.length > 1)
        complain(path, 'a single-channel guest can be in one channel only')
    }
  })

export type Seed = z.infer<typeof Seed>

const DEFAULT_SEED = join(PACKAGE_FOLDER, 'seed.yml')

/** Reads the workspaces, users, channels and messages that a local Slack starts with. */
export const readSeed = (file = DEFAULT_SEED): Seed => readYamlFile(file, Seed, 'is not a valid seed')
