import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readSeed, type Seed } from '../seed.ts'

/** Writes the default seed with a few changes to a file, which is deleted after the test. */
export async function writeChangedSeed(change: (seed: Seed) => Partial<Seed>): Promise<string> {
  const seed = readSeed()
  const file = join(tmpdir(), `local-slack-seed-${crypto.randomUUID()}.json`)
  onTestFinished(() => rm(file))
  await writeFile(file, JSON.stringify({ ...seed, ...change(seed) }))
  return file
}

/** Makes all workspaces part of one Enterprise Grid organization. */
export const asGrid = ({ other_teams }: Seed): Partial<Seed> => ({
  enterprise: { name: 'Street Group', domain: 'street-group' },
  other_teams: other_teams.map((team) => ({ ...team, same_enterprise: true })),
})
