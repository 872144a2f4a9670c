import { existsSync } from 'node:fs'
import { z } from 'zod'
import { MIN_SECRET_LENGTH } from './database/secret-keys.ts'

const number = (min = 0) => z.coerce.number('must be a number').min(min, `must be at least ${min}`)
const integer = (min = 0) => number(min).int('must be a whole number')
const portNumber = () => integer().max(65_535, 'must be at most 65535')
const port = (defaultPort: number) => portNumber().default(defaultPort)
const url = (protocol: RegExp) => z.url({ protocol })
/** Node's `fetch` rejects URLs with a user name or password, and API paths are appended to the URL. */
const urlWithoutPassword = url(/^https?$/).refine(
  (text) => !URL.canParse(text) || (!new URL(text).username && !new URL(text).password && !/[?#]/.test(text)),
  'can\'t contain a user name, a password, "?" or "#"',
)
/** A token becomes part of a header, so only visible ASCII is allowed. The error message doesn't repeat the secret token. */
const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "can't contain spaces, line breaks or letters outside ASCII")
  .optional()
const withoutSlash = (text: string) => text.replace(/\/$/, '')
const splitList = (text: string) => text.split(/[\s,]+/).filter(Boolean)

const SLACK_USER_ID = /^[UW][A-Z0-9]{8,}$/
const slackUserId = z.string().regex(SLACK_USER_ID, {
  error: ({ input }) =>
    `"${input}" isn't the id of a Slack user, such as U0123ABCD. To find it, open the user's profile in Slack, press "⋮" and "Copy member ID"`,
})

/** The paths of the API are appended to the URL. */
const isServiceUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return true // The `z.url` rule reports an invalid URL.
  const { username, pathname } = new URL(text)
  return !(username || /[?#]/.test(text) || /\/\/|\/api\/v1\/?$/.test(pathname))
}
const API_BASE_URL_HINT = 'must be the URL of the scheduling service, without /api/v1, a user name or "?"'

/** Links to uploads begin with this URL, so it can't contain "?", "#" or a user name. */
const isPlainBaseUrl = (text: string): boolean => !/[?#@]/.test(text)
const PUBLIC_URL_HINT = 'must be the public address of PORT, without "?" or a user name'

const MAX_DAYS = 36_500
const NEW_SECRET_HINT = 'Create one with: openssl rand -base64 32'

const Environment = z
  .object({
    DATABASE_URL: url(/^postgres(ql)?$/).optional(),
    DATABASE_OWNER_URL: url(/^postgres(ql)?$/).optional(),
    DATA_DIR: z.string().default('.data'),
    SECRET_KEY: z.string().default('').transform(splitList),
    HOST: z.string().default('127.0.0.1'),
    SERVICE_PORT: port(4010),
    SERVICE_REQUESTS_PER_MINUTE: integer().default(600),
    WEBHOOKS_TO_PRIVATE_ADDRESSES: z.stringbool().default(false),
    REQUIRE_ACCOUNTS: z.stringbool().default(false),
    TELEGRAM_API_URL: urlWithoutPassword.default('https://api.telegram.org').transform(withoutSlash),
    POSTIZ_URL: urlWithoutPassword.transform(withoutSlash).optional(),
    POSTIZ_API_KEY: token,
    API_BASE_URL: url(/^https?$/)
      .refine(isServiceUrl, API_BASE_URL_HINT)
      .optional(),
    API_TOKEN: token,
    SLACK_BOT_TOKEN: token,
    SLACK_APP_TOKEN: token,
    SLACK_SIGNING_SECRET: z.string().optional(),
    SLACK_API_URL: url(/^https?$/).optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/)
      .transform(withoutSlash)
      .optional(),
    OTEL_SERVICE_NAME: z.string().default('upnext'),
    METRICS_PORT: portNumber().optional(),
    DRAIN_SECONDS: number().max(20, 'must be at most 20').default(0),
    PORT: port(3000),
    PUBLIC_URL: url(/^https?$/)
      .refine(isPlainBaseUrl, PUBLIC_URL_HINT)
      .transform(withoutSlash)
      .optional(),
    MEDIA_GIGABYTES: number().default(2),
    ADMINS: z.string().default('').transform(splitList).pipe(z.array(slackUserId)),
    GUESTS_MAY_WRITE: z.stringbool().default(false),
    EXTERNAL_USERS_MAY_VIEW: z.stringbool().default(false),
    USER_ACTIONS_PER_MINUTE: integer().default(60),
    WORKSPACE_ACTIONS_PER_MINUTE: integer().default(600),
    AUDIT_RETENTION_DAYS: integer(1).max(MAX_DAYS, `must be at most ${MAX_DAYS}`).default(365),
    UNINSTALL_RETENTION_DAYS: integer().max(MAX_DAYS, `must be at most ${MAX_DAYS}`).default(30),
    LOCAL_SLACK_PORT: port(4020),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .refine((env) => env.SECRET_KEY.every((secret) => secret.length >= MIN_SECRET_LENGTH), {
    path: ['SECRET_KEY'],
    message: `must be at least ${MIN_SECRET_LENGTH} characters long. ${NEW_SECRET_HINT}`,
  })
  .refine((env) => env.DATABASE_URL || !env.DATABASE_OWNER_URL, {
    path: ['DATABASE_OWNER_URL'],
    message: 'also needs DATABASE_URL, for the role that only uses the tables',
  })
  .refine((env) => !env.DATABASE_URL || env.SECRET_KEY.length, {
    path: ['SECRET_KEY'],
    message: `is required with DATABASE_URL, to encrypt stored data. ${NEW_SECRET_HINT}`,
  })
  .refine((env) => env.API_BASE_URL || !env.API_TOKEN || env.API_TOKEN.length >= 16, {
    path: ['API_TOKEN'],
    message: 'must be at least 16 characters long to serve as a token for the embedded service',
  })
  .refine((env) => !env.POSTIZ_URL === !env.POSTIZ_API_KEY, {
    path: ['POSTIZ_URL'],
    message: 'must be set together with POSTIZ_API_KEY, or not at all',
  })
  .refine((env) => !env.SLACK_BOT_TOKEN || env.SLACK_APP_TOKEN || env.SLACK_SIGNING_SECRET, {
    path: ['SLACK_BOT_TOKEN'],
    message: 'also needs SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)',
  })
  .refine((env) => env.SLACK_BOT_TOKEN || !(env.SLACK_APP_TOKEN || env.SLACK_SIGNING_SECRET), {
    path: ['SLACK_BOT_TOKEN'],
    message:
      'is required with SLACK_APP_TOKEN or SLACK_SIGNING_SECRET. Without these settings, Upnext starts a local Slack',
  })

export type Config = z.infer<typeof Environment>

/** Reads the settings from the environment and, for variables that aren't set there, from `.env` in the current folder. */
export function readConfig(): Config {
  if (existsSync('.env')) loadEnvFile()
  const variables = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()))
  const { data, error } = Environment.safeParse(variables)
  if (data) return data
  const errors = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`Invalid settings (see .env.example):\n${errors.join('\n')}`)
}

function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env')
  } catch {
    // Node's own error is misleading. It says that the file doesn't exist, or should be a string.
    throw new Error(".env can't be read. Check that it is a file that this account may read.")
  }
}

export const isStartedByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined

/** Whether npm consumed a flag that isn't one of its own options, as it does with flags that come before "--". */
export const isConsumedByNpm = (flag: string): boolean =>
  isStartedByNpm() && process.env[`npm_config_${flag}`] !== undefined
