import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

// dependency-cruiser checks imports (.dependency-cruiser.cjs). These rules are about what imports don't show.

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(dist|node_modules|test)\//.test(path))
  .map((path) => ({ path, code: readFileSync(join('src', path), 'utf8') }))

const pathsMatching = (pattern: RegExp) =>
  sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path)

const except = (paths: string[], ...allowed: RegExp[]) =>
  paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))

describe('the source', () => {
  it('is found by these tests', () => {
    expect(sources.length).toBeGreaterThan(150)
    expect(pathsMatching(/\bsql(<[^`]*>)?`/)).toContain('bot/features/slots/slot-store.ts')
  })

  it('contains SQL only in stores, migrations and the database folders', () => {
    const withSql = pathsMatching(/\bsql(<[^`]*>)?`|\bsql\.raw\(|\.query\(\s*['"`]|CompiledQuery/)
    const allowed = [
      /-store\.ts$/,
      /connect-database\.ts$/,
      /\/migrations\//,
      /(^|\/)database\//,
      /^service\/stores\//,
    ]
    expect(except(withSql, ...allowed)).toEqual([])
  })

  it('reads the environment only in config.ts, the local Slack command line, and for PostgreSQL and fonts', () => {
    const users = pathsMatching(/process\.(env|loadEnvFile)/)
    const allowed = [
      /^config\.ts$/,
      /^local-slack\/command-line\.ts$/,
      /^database\/postgres-cluster\.ts$/,
      /^bot\/slack\/images\/svg\.ts$/,
    ]
    expect(except(users, ...allowed)).toEqual([])
  })

  it('gets the time, the network and randomness from the runtime that is passed in', () => {
    const systemCalls =
      /\bDate\.now\(|\bnew Date\(\)|DateTime\.(now|local|utc)\(\)|Math\.random|\brandom(Bytes|UUID)\b.*from|(?<![.\w])fetch\((?!request\b)/
    // The page runs in a browser, two files get a function called fetch, and one falls back on it.
    const allowed = [
      /^(local-slack\/)?runtime\.ts$/,
      /^local-slack\/web\//,
      /^api\/send-request\.ts$/,
      /^api-fetch\.ts$/,
      /^service\/publishing\/deliver-webhook\.ts$/,
    ]
    expect(except(pathsMatching(systemCalls), ...allowed)).toEqual([])
  })

  it('has no generic file names', () => {
    const paths = sources.map(({ path }) => path)
    expect(paths.filter((path) => /\b(utils?|lib|helpers?|common|misc)\b/.test(path))).toEqual([])
  })

  it('mentions no particular app in the local Slack', () => {
    expect(pathsMatching(/upnext/i).filter((path) => path.startsWith('local-slack/'))).toEqual([])
  })
})

/** A small source tree with one violation of each kind. */
const VIOLATIONS: Record<string, string> = {
  'tsconfig.json': '{}',
  'src/main.ts': '',
  'src/service/service.ts': '',
  'src/bot/bot.ts': '',
  'src/bot/database/upward.ts': "import type { A } from '../slack/slack.ts'\nexport type B = A",
  'src/bot/slack/slack.ts': 'export type A = 1',
  'src/bot/slack/upward.ts': "import '../forms/forms.ts'",
  'src/bot/forms/forms.ts': '',
  'src/bot/forms/upward.ts': "import '../outbox/outbox.ts'",
  'src/bot/outbox/outbox.ts': '',
  'src/bot/outbox/upward.ts': "import '../features/posts/posts.ts'",
  'src/bot/features/posts/posts.ts': '',
  'src/bot/features/posts/display/display.ts': '',
  'src/bot/features/posts/display/upward.ts': "import '../find/find.ts'",
  'src/bot/features/posts/find/find.ts': '',
  'src/bot/features/posts/find/upward.ts': "import '../messages/messages.ts'",
  'src/bot/features/posts/slots/sideways.ts': "import '../messages/messages.ts'",
  'src/bot/features/posts/messages/messages.ts': '',
  'src/bot/features/posts/messages/upward.ts': "import '../form/form.ts'",
  'src/bot/features/posts/form/form.ts': '',
  'src/bot/features/posts/form/upward.ts': "import '../change/change.ts'",
  'src/bot/features/posts/change/change.ts': '',
  'src/bot/features/posts/change/upward.ts': "import '../posts.ts'",
  'src/bot/features/posts/upward.ts': "import '../home/home.ts'",
  'src/bot/features/home/home.ts': '',
  'src/bot/features/home/sideways.ts': "import '../digests/digests.ts'",
  'src/bot/features/digests/digests.ts': '',
  'src/bot/features/digests/upward.ts': "import '../../bot.ts'",
  'src/bot/features/outbox/sideways.ts': "import '../home/home.ts'",
  'src/bot/features/uploads/sideways.ts': "import '../home/home.ts'",
  'src/bot/features/media/upward.ts': "import '../posts/posts.ts'",
  'src/bot/features/people/upward.ts': "import '../posts/posts.ts'",
  'src/bot/features/projects/upward.ts': "import '../posts/posts.ts'",
  'src/bot/features/audit/upward.ts': "import '../posts/posts.ts'",
  'src/bot/cycle-a.ts': "import type { B } from './cycle-b.ts'\nexport type A = B",
  'src/bot/cycle-b.ts': "import type { A } from './cycle-a.ts'\nexport type B = A",
  'src/bot/other-part.ts': "import '../service/service.ts'",
  'src/bot/sql.ts': "import { sql } from 'kysely'",
  'src/bot/client.ts': "import createClient from 'openapi-fetch'",
  'src/bot/starter.ts': "import '../main.ts'",
  'src/service/stores/migrations/0001.ts': "import '../../service.ts'",
  'src/local-slack/server/server.ts': "import { useState } from 'react'",
  'src/local-slack/web/page.ts': "import '../server/server.ts'",
}

it('reports a violation of each kind of import rule', () => {
  const folder = mkdtempSync(join(tmpdir(), 'upnext-imports-'))
  for (const [path, code] of Object.entries(VIOLATIONS)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  const config = resolve('.dependency-cruiser.cjs')
  const { stdout } = spawnSync(
    resolve('node_modules/.bin/depcruise'),
    ['src', '--config', config, '--output-type', 'json'],
    { cwd: folder, encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  const { summary }: { summary: { violations: { rule: { name: string } }[] } } = JSON.parse(stdout)
  const names = new Set(summary.violations.map(({ rule }) => rule.name))
  expect([...names].sort()).toEqual([
    'bot-imports',
    'bot/database-imports',
    'bot/features/audit-imports',
    'bot/features/digests-imports',
    'bot/features/home-imports',
    'bot/features/media-imports',
    'bot/features/outbox-imports',
    'bot/features/people-imports',
    'bot/features/posts-imports',
    'bot/features/posts/change-imports',
    'bot/features/posts/display-imports',
    'bot/features/posts/find-imports',
    'bot/features/posts/form-imports',
    'bot/features/posts/messages-imports',
    'bot/features/posts/slots-imports',
    'bot/features/projects-imports',
    'bot/features/uploads-imports',
    'bot/forms-imports',
    'bot/outbox-imports',
    'bot/slack-imports',
    'command-lines',
    'frozen-migrations',
    'no-cycles',
    'openapi-fetch-importers',
    'page-imports-types',
    'react-importers',
    'sql-in-stores',
  ])
})
