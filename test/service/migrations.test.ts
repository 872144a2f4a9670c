import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = 'src/service/stores/migrations'

it('imports no application code in migrations of the service, because it may change later', () => {
  const files = readdirSync(FOLDER)
  expect(files).toContain('0001-service-tables.ts')
  for (const file of files) {
    const code = readFileSync(join(FOLDER, file), 'utf8')
    const imports = [...code.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)/g)].map((match) => match[1])
    expect([file, imports]).toEqual([file, []])
  }
})
