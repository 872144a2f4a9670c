// Which part may import which. Imports of types count, too.

const outside = (...folders) => `^src/(?!${folders.join('|')})`

/** A part of src may import only these other parts. */
const allow = (part, ...allowed) => ({
  name: `${part}-imports`,
  comment: `src/${part} may import only: ${allowed.join(', ') || 'nothing else of src'}.`,
  severity: 'error',
  from: { path: `^src/${part}/`, pathNot: 'command-line\\.ts$' },
  to: { path: outside(`${part}/`, ...allowed) },
})

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
    allow('api', 'fetch-text\\.ts', 'platforms/', 'runtime\\.ts'),
    allow(
      'bot',
      'api/',
      'database/',
      'http-address\\.ts',
      'platforms/',
      'poller\\.ts',
      'project-folder\\.ts',
      'readiness\\.ts',
      'runtime\\.ts',
      'time/',
    ),
    allow('database', 'poller\\.ts', 'runtime\\.ts'),
    allow(
      'doctor',
      'api/',
      'bot/database/connect\\.ts',
      'bot/installation/(installation-store|other-workspace)\\.ts',
      'config\\.ts',
      'database/',
      'http-address\\.ts',
      'platforms/',
      'runtime\\.ts',
      'service-access\\.ts',
      'service/demo\\.ts',
      'service/stores/database\\.ts',
    ),
    allow(
      'personal-data',
      'bot/audit/audit-store\\.ts',
      'bot/database/',
      'bot/personal-data\\.ts',
      'database/',
      'runtime\\.ts',
      'service/stores/',
    ),
    allow('platforms', 'api/schema\\.d\\.ts'),
    allow(
      'service',
      'config\\.ts',
      'database/',
      'http-address\\.ts',
      'poller\\.ts',
      'project-folder\\.ts',
      'readiness\\.ts',
      'runtime\\.ts',
    ),
    allow('time'),
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
    reserve('openapi-fetch', '^src/api/client\\.ts$'),
    reserve('chrono-node', '^src/time/'),
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
    exclude: { path: ['/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
}
