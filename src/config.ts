import { existsSync } from 'node:fs'
import { z } from 'zod'

const port = (usual: number) => z.coerce.number().int().min(0).max(65_535).default(usual)
const url = (protocol: RegExp) => z.url({ protocol })

const Environment = z
  .object({
    DATABASE_URL: url(/^postgres(ql)?$/).optional(),
    DATA_DIR: z.string().default('.data'),
    HOST: z.string().default('127.0.0.1'),
    SERVICE_PORT: port(4010),
    API_BASE_URL: url(/^https?$/).optional(),
    API_TOKEN: z.string().optional(),
    SLACK_BOT_TOKEN: z.string().optional(),
    SLACK_APP_TOKEN: z.string().optional(),
    SLACK_SIGNING_SECRET: z.string().optional(),
    SLACK_API_URL: url(/^https?$/).optional(),
    PORT: port(3000),
    ADMINS: z
      .string()
      .default('')
      .transform((ids) => ids.split(/[\s,]+/).filter(Boolean)),
    GUESTS_MAY_WRITE: z.stringbool().default(false),
    LOCAL_SLACK_PORT: port(4020),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .refine(({ API_BASE_URL, API_TOKEN }) => API_BASE_URL || !API_TOKEN || API_TOKEN.length >= 16, {
    path: ['API_TOKEN'],
    message: 'must have at least 16 characters where it becomes a token of our own service',
  })
  .refine(
    ({ SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }) =>
      !SLACK_BOT_TOKEN || SLACK_APP_TOKEN || SLACK_SIGNING_SECRET,
    {
      path: ['SLACK_BOT_TOKEN'],
      message: 'needs SLACK_APP_TOKEN beside it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP',
    },
  )

export type Config = z.infer<typeof Environment>

/** The settings of this process, from its environment and, for what is not set there, a `.env` file beside it. */
export function readConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  const { data, error } = Environment.safeParse(set)
  if (data) return data
  const faults = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`These settings cannot be used (see .env.example):\n${faults.join('\n')}`)
}

export const startedByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined
