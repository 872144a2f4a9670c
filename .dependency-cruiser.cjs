// Which part may import which. Imports of types count, too.

const { readdirSync } = require('node:fs')

const outside = (...folders) => `^src/(?!${folders.join('|')})`

/** A part of src may import only these other parts. */
const allow = (part, ...allowed) => ({
  name: `${part}-imports`,
  comment: `src/${part} may import only: ${allowed.join(', ') || 'nothing else of src'}.`,
  severity: 'error',
  from: { path: `^src/${part}/`, pathNot: 'command-line\\.ts$' },
  to: { path: outside(`${part}/`, ...allowed) },
})

/** The folders of the bot from the bottom to the top. Each may import those below it, and none beside it. */
const BOT_LAYERS = [
  ['database/'],
  ['slack/'],
  ['forms/'],
  ['outbox/'],
  ['features/projects/', 'features/audit/'],
  ['features/people/'],
  ['features/media/', 'features/slots/', 'features/approvals/'],
  ['features/posts/'],
  ['features/decisions/'],
]
// All other features are at the top.
const lower = BOT_LAYERS.flat()
const top = readdirSync('src/bot/features', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `features/${name}/`)
  .filter((folder) => !lower.includes(folder))
BOT_LAYERS.push(top)

/** The folders of posts from the bottom to the top. Above them are the files for what people do with posts. */
const POST_LAYERS = [
  ['tables\\.ts'],
  ['display/'],
  ['find/'],
  ['slots/', 'messages/'],
  ['form/'],
  ['change/'],
]

const nameOf = (folder) => folder.replace(/(?:\/|\\.ts)$/, '')

const layerRules = (root, layers) =>
  layers.flatMap((layer, index) =>
    layer.map((folder) => {
      const below = layers.slice(0, index).flat()
      return {
        name: `${root}/${nameOf(folder)}-imports`,
        comment: `Of src/${root}, ${nameOf(folder)} may import only: ${below.map(nameOf).join(', ') || 'nothing else'}.`,
        severity: 'error',
        from: { path: `^src/${root}/${folder}` },
        to: { path: `^src/${root}/(?!${[folder, ...below].join('|')})` },
      }
    }),
  )

/** Only these files may import a package. */
const reserve = (packageName, ...files) => ({
  name: `${packageName}-importers`,
  comment: `Only ${files.join(' and ')} may import ${packageName}.`,
  severity: 'error',
  from: { path: '^src/', pathNot: files },
  to: { path: `(^|/)${packageName}(/|$)`, dependencyTypesNot: ['local'] },
})

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that import each other, directly or through others, cannot be understood separately.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    allow('api', 'deadline\\.ts', 'api-fetch\\.ts', 'metrics/', 'platforms/', 'runtime\\.ts', 'tracing/'),
    allow(
      'bot',
      'api/',
      'database/',
      'deadline\\.ts',
      'listen-address\\.ts',
      'metrics/',
      'platforms/',
      'post-command/',
      'jobs/',
      'package-folder\\.ts',
      'readiness\\.ts',
      'runtime\\.ts',
      'time/',
      'tracing/',
      'version\\.ts',
    ),
    ...layerRules('bot', BOT_LAYERS),
    ...layerRules('bot/features/posts', POST_LAYERS),
    allow('database', 'jobs/', 'runtime\\.ts', 'tracing/', 'version\\.ts'),
    allow(
      'doctor',
      'api/',
      'bot/connect-database\\.ts',
      'bot/database/',
      'bot/slack/installation/(installation-store|other-workspace)\\.ts',
      'config\\.ts',
      'database/',
      'listen-address\\.ts',
      'platforms/',
      'runtime\\.ts',
      'service-access\\.ts',
      'service/demo\\.ts',
      'service/publishing/create-publishers\\.ts',
      'service/stores/(accounts-store|database)\\.ts',
    ),
    allow(
      'after-restore',
      'bot/(after-restore-store|connect-database)\\.ts',
      'run-tool\\.ts',
      'database/',
      'service/stores/(accounts-store|database)\\.ts',
    ),
    allow(
      'personal-data',
      'bot/slack/audit-store\\.ts',
      'bot/(all-tables|connect-database)\\.ts',
      'bot/database/',
      'database/',
      'runtime\\.ts',
      'service/stores/',
    ),
    allow('platforms', 'api/schema\\.d\\.ts'),
    allow('post-command', 'platforms/', 'time/'),
    allow(
      'service',
      'config\\.ts',
      'database/',
      'api-fetch\\.ts',
      'listen-address\\.ts',
      'jobs/',
      'metrics/',
      'package-folder\\.ts',
      'platforms/(has-visible-text|platform-names|title-lengths)\\.ts',
      'readiness\\.ts',
      'runtime\\.ts',
      'tracing/',
      'version\\.ts',
    ),
    allow('metrics', 'listen-address\\.ts', 'version\\.ts'),
    allow('time'),
    allow('tracing', 'version\\.ts'),
    allow('local-slack'),
    {
      name: 'command-lines',
      comment: 'A command line may only start parts; nothing imports a command line.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '(command-line|^src/main)\\.ts$' },
    },
    {
      name: 'frozen-migrations',
      comment: 'A migration must do the same forever, so it imports no application code.',
      severity: 'error',
      from: { path: '/migrations/' },
      to: { path: '^src/' },
    },
    {
      name: 'sql-in-stores',
      comment: 'Only stores, migrations and the database folders speak SQL.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['-store\\.ts$', '/migrations/', '/database/', '^src/service/stores/'],
      },
      to: { path: '(^|/)(kysely|pg|pg-boss)(/|$)', dependencyTypesNot: ['local', 'type-only'] },
    },
    reserve('@opentelemetry', '^src/tracing/'),
    reserve('openapi-fetch', '^src/api/client\\.ts$'),
    reserve('twitter-text', '^src/platforms/tweet-text\\.ts$'),
    reserve('react', '^src/local-slack/web/'),
    {
      name: 'page-imports-types',
      comment: 'The page of the local Slack runs in a browser: of the server it may import types only.',
      severity: 'error',
      from: { path: '^src/local-slack/web/' },
      to: {
        path: '^src/local-slack/(?!web/|blocks/|apply-patch\\.ts|emoji\\.ts)',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['^src/.*/dist/', '^dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
}
