import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { build } from 'esbuild'

const { outputFiles } = await build({
  // Each program becomes one file, because Node takes longer to find and read a thousand modules than to run them.
  entryPoints: [
    'src/main.ts',
    'src/service/command-line.ts',
    'src/doctor/command-line.ts',
    'src/bot/audit/command-line.ts',
    'src/bot/features/media/encode-image.ts',
    'src/bot/manifest/command-line.ts',
    'src/after-restore/command-line.ts',
    'src/personal-data/command-line.ts',
  ],
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // sharp looks for its library next to its own files. pg-native is optional, and isn't installed.
  external: ['sharp', 'pg-native'],
  // CommonJS packages call `require`, which ES modules don't have.
  banner: {
    js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url)",
  },
  // V8 keeps the source in memory, so it is minified. Names and short lines are kept for useful stack traces.
  minifyWhitespace: true,
  lineLimit: 120,
  write: false,
})

for (const { path, contents } of outputFiles) {
  await mkdir(dirname(path), { recursive: true })
  // Each file is renamed once it is complete, so a program that starts during a build never reads an unfinished file.
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, contents)
  await rename(unfinished, path)
}
