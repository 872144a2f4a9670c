import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { methods, readManifest } from 'local-slack'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { MODULES } from '../../src/bot/features/index.ts'
import { toHttpManifest } from '../../src/bot/manifest/http-manifest.ts'
import { listFeatures } from '../../src/bot/slack/feature.ts'
import { runProgram } from '../support/run-program.ts'

const features = listFeatures(MODULES)

const manifest = readManifest('manifest.yml')

const sourceCode = readdirSync('src/bot', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join('src/bot', path), 'utf8'))
  .join('\n')

describe('the manifest', () => {
  it('declares the slash commands of the features', () => {
    const declared = features.flatMap(({ command }) => command ?? []).sort()
    expect(manifest.features.slash_commands.map(({ command }) => command).sort()).toEqual(declared)
  })

  it('is printed in any folder', async () => {
    const program = runProgram('dist/bot/manifest/command-line.js', ['--url', 'https://upnext.example.com'])
    expect(await program.exitCode, program.errors()).toBe(0)
    expect(program.output()).toContain('https://upnext.example.com/slack/events')
  })

  it('declares the shortcuts of the features', () => {
    const declared = features.flatMap(({ shortcuts = [] }) => shortcuts)
    const inManifest = manifest.features.shortcuts.map(({ type, callback_id }) => ({ type, callback_id }))
    expect(inManifest).toEqual(declared)
  })

  it('subscribes to the events that the bot handles', () => {
    const handled = [...sourceCode.matchAll(/app\.event\('(\w+)'/g)].map(([, event]) => event)
    expect(manifest.settings.event_subscriptions?.bot_events).toEqual(handled)
  })

  it('requests exactly the scopes that the bot needs', () => {
    const called = [
      ...sourceCode.matchAll(/\b(users|usergroups|chat|views|conversations|files)\.([a-z]\w+)\b/gi),
    ].map(([, family, name]) => `${family}.${name}`)
    expect(called).toContain('chat.postMessage')
    // The SDK's files.uploadV2 calls two methods of Slack, which need the same scope.
    if (called.includes('files.uploadV2')) called.push('files.completeUploadExternal')
    const forCalls = methods
      .filter(({ name }) => called.includes(name))
      .flatMap(({ scopes }) => scopes)
      // The bot asks about channels only.
      .filter((scope) => !['im:read', 'mpim:read'].includes(scope))
    const needed = [
      ...forCalls,
      'commands',
      ...(/\bemail\b.*user\?\.profile/.test(sourceCode) ? ['users:read.email'] : []),
    ]
    expect(manifest.oauth_config.scopes.bot.sort()).toEqual([...new Set(needed)].sort())
    expect(manifest.oauth_config.scopes.bot_optional).toEqual(['files:read', 'usergroups:read'])
  })
})

describe('the list of features', () => {
  it('is in the docs with the help text of each feature', () => {
    const rows = features.map(({ verb, command, usage = '', help }) => {
      const ownCommand = command && command !== '/upnext' ? `, \`${command}\`` : ''
      return `| \`/upnext ${`${verb} ${usage}`.trim()}\`${ownCommand} | ${help} |`
    })
    const lines = readFileSync('docs/commands.md', 'utf8').split('\n')
    expect(lines.filter((line) => line.startsWith('| `/upnext'))).toEqual(rows)
  })

  it('has unique verbs and action ids', () => {
    const verbs = features.map(({ verb }) => verb)
    const actions = features.flatMap((feature) => Object.keys(feature.actions ?? {}))
    expect(new Set(verbs).size).toBe(verbs.length)
    expect(new Set(actions).size).toBe(actions.length)
  })
})

describe('the manifest for HTTP', () => {
  const http = toHttpManifest(readFileSync('manifest.yml', 'utf8'), 'https://upnext.example.com')

  it('sends every request to one URL, and is otherwise the same app', () => {
    const url = 'https://upnext.example.com/slack/events'
    const expected = parse(readFileSync('manifest.yml', 'utf8'))
    for (const command of expected.features.slash_commands) command.url = url
    expected.settings.socket_mode_enabled = false
    expected.settings.interactivity.request_url = url
    expected.settings.interactivity.message_menu_options_url = url
    expected.settings.event_subscriptions.request_url = url
    expect(parse(http)).toEqual(expected)
  })
})
