import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { methods, readManifest } from 'local-slack'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { features } from '../../src/bot/features/index.ts'
import { manifestForHttp } from '../../src/bot/manifest/for-http.ts'

const manifest = readManifest('manifest.yml')

const code = readdirSync('src/bot', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join('src/bot', path), 'utf8'))
  .join('\n')

describe('the manifest', () => {
  it('has the commands that the features have, and no others', () => {
    const declared = features.flatMap(({ command }) => command ?? []).sort()
    expect(manifest.features.slash_commands.map(({ command }) => command).sort()).toEqual(declared)
  })

  it('has their shortcuts, and no others', () => {
    const declared = features.flatMap(({ shortcuts = [] }) => shortcuts)
    const offered = manifest.features.shortcuts.map(({ type, callback_id }) => ({ type, callback_id }))
    expect(offered).toEqual(declared)
  })

  it('has the events that are listened to, and no others', () => {
    const heard = [...code.matchAll(/app\.event\('(\w+)'/g)].map(([, event]) => event)
    expect(manifest.settings.event_subscriptions?.bot_events).toEqual(heard)
  })

  it('asks for the scopes that its calls, commands and what it reads of people need, and for no others', () => {
    const called = [...code.matchAll(/\b(users|chat|views|conversations|files)\.([a-z]\w+)\b/gi)].map(
      ([, family, name]) => `${family}.${name}`,
    )
    expect(called).toContain('chat.postMessage')
    // The SDK's name for two methods of Slack's.
    if (called.includes('files.uploadV2')) called.push('files.completeUploadExternal')
    const forCalls = methods.filter(({ name }) => called.includes(name)).flatMap(({ scopes }) => scopes)
    const needed = [
      ...forCalls,
      'commands',
      ...(/\bemail\b.*user\?\.profile/.test(code) ? ['users:read.email'] : []),
    ]
    expect(manifest.oauth_config.scopes.bot.sort()).toEqual([...new Set(needed)].sort())
  })
})

describe('the features', () => {
  it('stand in the README, with the words of the help', () => {
    const rows = features.map(({ verb, command, usage, help }) => {
      const own = command && command !== '/upnext' ? `, \`${command}\`` : ''
      return `| \`/upnext ${`${verb} ${usage}`.trim()}\`${own} | ${help} |`
    })
    const readme = readFileSync('README.md', 'utf8').split('\n')
    expect(readme.filter((line) => line.startsWith('| `/upnext'))).toEqual(rows)
  })

  it('have verbs and actions of their own', () => {
    const verbs = features.map(({ verb }) => verb)
    const actions = features.flatMap((feature) => Object.keys(feature.actions ?? {}))
    expect(new Set(verbs).size).toBe(verbs.length)
    expect(new Set(actions).size).toBe(actions.length)
  })
})

describe('the manifest for HTTP', () => {
  const http = manifestForHttp(readFileSync('manifest.yml', 'utf8'), 'https://upnext.example.com')

  it('leads everything to the one address, and is the same app otherwise', () => {
    const address = 'https://upnext.example.com/slack/events'
    const expected = parse(readFileSync('manifest.yml', 'utf8'))
    for (const command of expected.features.slash_commands) command.url = address
    expected.settings.socket_mode_enabled = false
    expected.settings.interactivity.request_url = address
    expected.settings.interactivity.message_menu_options_url = address
    expected.settings.event_subscriptions.request_url = address
    expect(parse(http)).toEqual(expected)
  })
})
