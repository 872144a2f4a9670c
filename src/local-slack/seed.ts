import { join } from 'node:path'
import { z } from 'zod'
import { PACKAGE_FOLDER } from './package-folder.ts'
import { readYamlFile } from './yaml-file.ts'

const handle = z
  .string()
  .regex(/^[a-z0-9._-]{1,21}$/, 'must be up to 21 lowercase letters, digits, dots, dashes or underscores')

const isTimeZone = (tz: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: tz }))
  } catch {
    return false
  }
}

const Seed = z
  .object({
    team: z.object({ name: z.string().min(1), domain: z.string().regex(/^[a-z0-9-]+$/) }),
    users: z
      .array(
        z.object({
          handle,
          name: z.string().min(1).max(80),
          email: z.email().optional(),
          title: z.string().default(''),
          role: z.enum(['owner', 'admin', 'member', 'guest']).default('member'),
          tz: z.string().refine(isTimeZone, 'unknown time zone').optional(),
          locale: z.string().default('en-US'),
        }),
      )
      .min(1),
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
          app: z.boolean().default(false),
          messages: z.array(z.object({ from: handle, text: z.string().min(1).max(4000) })).default([]),
        }),
      )
      .min(1),
  })
  .superRefine(({ users, channels }, context) => {
    const handles = users.map(({ handle }) => handle)
    for (const [list, names] of [
      ['users', handles],
      ['channels', channels.map(({ name }) => name)],
    ] as const)
      for (const [index, name] of names.entries())
        if (names.indexOf(name) < index)
          context.addIssue({ code: 'custom', path: [list, index], message: `"${name}" is already taken` })
    channels.forEach(({ members, messages }, index) => {
      for (const name of [...members, ...messages.map(({ from }) => from)])
        if (!handles.includes(name))
          context.addIssue({
            code: 'custom',
            path: ['channels', index],
            message: `no user is called "${name}"`,
          })
    })
  })

export type Seed = z.infer<typeof Seed>

const DEFAULT_SEED = join(PACKAGE_FOLDER, 'seed.yml')

/** Reads the users, channels and messages that a workspace starts with. */
export const readSeed = (file = DEFAULT_SEED): Seed => readYamlFile(file, Seed, 'is not a valid seed')
