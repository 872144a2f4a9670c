import { spawnSync } from 'node:child_process'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createTempFolder } from './support/temp-folder.ts'

let folder: string
afterEach(() => rm(folder, { recursive: true }))

/** Files with the order in which they were written. */
async function writeFiles(files: Record<string, number>): Promise<void> {
  folder = await createTempFolder('upnext-build-')
  for (const [path, second] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), '')
    await utimes(join(folder, path), second, second)
  }
  await utimes(join(folder, 'src'), 1, 1)
}

const SOURCES = { 'src/main.ts': 1, 'package.json': 1, 'tsconfig.json': 1 }
const BUILT = { 'dist/main.js': 2, 'dist/.built': 2 }
const build = () => spawnSync('sh', [resolve('src/build.sh')], { cwd: folder, encoding: 'utf8' })

describe('npm start without the development dependencies', () => {
  it('uses the build that was made before the development dependencies were removed', async () => {
    await writeFiles({ ...SOURCES, ...BUILT, 'package-lock.json': 3, 'node_modules/.package-lock.json': 3 })
    expect(build()).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  it.each([
    ['nothing is built', SOURCES],
    ['the source has changed since', { ...SOURCES, ...BUILT, 'src/main.ts': 3 }],
  ])('says how to build if %s', async (_state, files) => {
    await writeFiles(files)
    expect(build()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'Run "npm ci && npm run build". Afterwards, you can remove them with "npm prune --omit=dev"',
      ),
    })
  })
})
