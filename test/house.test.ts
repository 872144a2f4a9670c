import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

type Source = { file: string; code: string; imports: { from: string; typeOnly: boolean }[] }

const paths = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/^local-slack\/(test|dist|vitest)/.test(path))
  .map((path) => join('src', path))

const sources: Source[] = paths.map((path) => {
  const code = readFileSync(path, 'utf8')
  const imports = [...code.matchAll(/^(?:import|export)\s+(type\s)?[^'"`]*?from\s+'([^']+)'/gms)].map(
    ([, type, from = '']) => ({
      from: from.startsWith('.') ? relative('src', join(dirname(path), from)) : from,
      typeOnly: Boolean(type),
    }),
  )
  return { file: relative('src', path), code, imports }
})

const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : file)
const isCommandLine = ({ file }: Source) => file.endsWith('/command-line.ts')
const filesWhere = (is: (source: Source) => boolean) => sources.filter(is).map(({ file }) => file)
const importersOf = (name: string) => filesWhere(({ imports }) => imports.some(({ from }) => from === name))
const outside = (files: string[], ...rooms: string[]) =>
  files.filter((file) => !rooms.some((room) => file.startsWith(room)))

/** From each room, the rooms that it may look into. What is not here may look into none. */
const doors: Record<string, string[]> = {
  'main.ts': ['api', 'bot', 'config.ts', 'log.ts', 'run.ts', 'serve.ts', 'store', 'runtime.ts'],
  'serve.ts': ['config.ts', 'database', 'service', 'runtime.ts'],
  bot: ['api', 'platforms', 'store', 'time', 'runtime.ts'],
  // For the contract's type of a platform.
  platforms: ['api'],
  // The database says how one can tell that it is away.
  service: ['config.ts', 'database', 'runtime.ts'],
  store: ['database'],
}
const doorsOfCommandLines = ['config.ts', 'log.ts', 'runtime.ts', 'database', 'run.ts', 'serve.ts']

describe('the walls of the house', () => {
  it('are looked at: every file of src is', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(importersOf('kysely')).toContain('service/storage/posts.ts')
    expect(sources.find(({ file }) => file === 'main.ts')?.imports.map(({ from }) => from)).toContain(
      'config.ts',
    )
  })

  it('let each room look only where its door leads', () => {
    const crossings = sources
      .flatMap((source) =>
        source.imports
          .filter(({ from }) => /\.tsx?$/.test(from))
          .map(({ from }) => ({ file: source.file, room: roomOf(source.file), to: roomOf(from), source })),
      )
      .filter(({ room, to }) => room !== to)
    const wrong = crossings.filter(
      ({ room, to, source }) =>
        !(doors[room]?.includes(to) || (isCommandLine(source) && doorsOfCommandLines.includes(to))),
    )
    expect(wrong.map(({ file, to }) => `${file} -> ${to}`)).toEqual([])
  })

  it('keep SQL, and what speaks it, with the tables and with the start of the database', () => {
    const speakers = filesWhere(
      ({ code, imports }) =>
        imports.some(({ from, typeOnly }) => ['pg', 'kysely', 'pg-boss'].includes(from) && !typeOnly) ||
        /\bsql`|\.query\(|\.raw\(/.test(code),
    )
    expect(speakers).toContain('service/storage/posts.ts')
    expect(outside(speakers, 'database/', 'store/', 'service/storage/')).toEqual([])
  })

  it('let only the configuration read the environment', () => {
    expect(filesWhere(({ code }) => /process\.(env|loadEnvFile)/.test(code))).toEqual([
      'config.ts',
      'local-slack/command-line.ts',
    ])
  })

  it('let only the API room import openapi-fetch, and only the time room chrono-node', () => {
    expect(importersOf('openapi-fetch')).toEqual(['api/client.ts'])
    expect(outside(importersOf('chrono-node'), 'time/')).toEqual([])
  })

  it('let only the runtime know the time, the network and chance; all others are told', () => {
    const asks =
      /\bDate\.now\(|\bnew Date\(\)|DateTime\.(now|local|utc)\(\)|Math\.random|\brandom(Bytes|UUID)\b.*from|(?<![.\w])fetch\((?!made)/
    // A page runs in a browser, which is a runtime of its own.
    const inBrowser = (file: string) => file.startsWith('local-slack/web/')
    const telling = filesWhere(
      ({ code, file }) => !file.endsWith('runtime.ts') && !inBrowser(file) && asks.test(code),
    )
    // These are handed a `fetch` of that name.
    expect(
      telling.filter((file) => !['api/attempt.ts', 'service/publishing/deliver-webhook.ts'].includes(file)),
    ).toEqual([])
    for (const file of ['api/attempt.ts', 'service/publishing/deliver-webhook.ts'])
      expect(sources.find((source) => source.file === file)?.code).toMatch(/fetch: typeof fetch/)
  })

  it('keep the local Slack from knowing whose it is', () => {
    expect(filesWhere(({ code, file }) => file.startsWith('local-slack/') && /upnext/i.test(code))).toEqual(
      [],
    )
  })

  it('let the page take nothing but types from the server, and only it draw with React', () => {
    const page = sources.filter(({ file }) => file.startsWith('local-slack/web/'))
    expect(page.length).toBeGreaterThan(20)
    const taken = page.flatMap(({ file, imports }) =>
      imports
        .filter(
          ({ from, typeOnly }) =>
            from.endsWith('.ts') && !/^local-slack\/(web|blocks)\//.test(from) && !typeOnly,
        )
        .map(({ from }) => `${file} -> ${from}`),
    )
    expect(taken).toEqual([])
    expect(outside(importersOf('react'), 'local-slack/web/')).toEqual([])
  })

  it('have no room that is named after nothing', () => {
    expect(filesWhere(({ file }) => /\b(utils?|lib|helpers?|common|misc)\b/.test(file))).toEqual([])
  })
})
