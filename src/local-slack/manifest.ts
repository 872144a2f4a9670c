import { z } from 'zod'
import { readYamlFile } from './yaml-file.ts'

/** The parts of an app manifest that the local Slack uses, with Slack's limits. */
const Manifest = z.object({
  display_information: z.object({
    name: z.string().min(1).max(35),
    description: z.string().max(140).default(''),
    background_color: z
      .string()
      .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'a color such as #1d4ed8')
      .default('#4a154b'),
  }),
  features: z
    .object({
      app_home: z
        .object({
          home_tab_enabled: z.boolean().default(false),
          messages_tab_enabled: z.boolean().default(true),
          messages_tab_read_only_enabled: z.boolean().default(false),
        })
        .prefault({}),
      assistant_view: z.unknown().optional(),
      unfurl_domains: z.array(z.string()).default([]),
      bot_user: z.object({ display_name: z.string().min(1).max(80) }).optional(),
      slash_commands: z
        .array(
          z.object({
            command: z.string().regex(/^\/[^\s/A-Z]{1,31}$/, 'a slash and up to 31 lowercase letters'),
            url: z.url().optional(),
            description: z.string().min(1).max(2000),
            usage_hint: z.string().max(1000).optional(),
            should_escape: z.boolean().default(false),
          }),
        )
        .max(50)
        .default([]),
      shortcuts: z
        .array(
          z.object({
            name: z.string().min(1).max(24),
            type: z.enum(['global', 'message']),
            callback_id: z.string().min(1).max(255),
            description: z.string().min(1).max(150),
          }),
        )
        .max(10)
        .default([]),
    })
    .prefault({}),
  oauth_config: z
    .object({
      redirect_urls: z.array(z.url()).max(1000).default([]),
      scopes: z
        .object({
          bot: z.array(z.string()).default([]),
          user: z.array(z.string()).default([]),
          /** Scopes from the list above that an admin may refuse. */
          bot_optional: z.array(z.string()).default([]),
        })
        .refine(({ bot, bot_optional }) => bot_optional.every((scope) => bot.includes(scope)), {
          message: 'optional scopes must also be listed in bot',
        })
        .prefault({}),
    })
    .prefault({}),
  functions: z.record(z.string(), z.unknown()).default({}),
  workflows: z.record(z.string(), z.unknown()).default({}),
  settings: z
    .object({
      event_subscriptions: z
        .object({
          request_url: z.url().optional(),
          bot_events: z.array(z.string()).max(100).default([]),
          user_events: z.array(z.string()).default([]),
          metadata_subscriptions: z
            .array(z.object({ app_id: z.string(), event_type: z.string() }))
            .default([]),
        })
        .prefault({}),
      interactivity: z
        .object({
          is_enabled: z.boolean(),
          request_url: z.url().optional(),
          message_menu_options_url: z.url().optional(),
        })
        .prefault({ is_enabled: false }),
      org_deploy_enabled: z.boolean().default(false),
      socket_mode_enabled: z.boolean().default(false),
    })
    .prefault({}),
})

export type Manifest = z.infer<typeof Manifest>

export const readManifest = (file: string): Manifest =>
  readYamlFile(file, Manifest, 'is not a valid app manifest')
