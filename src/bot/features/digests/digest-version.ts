import { shortHash } from '../../database/short-hash.ts'
import type { Digest } from './tables.ts'

/** Identifies a digest and its settings, to find out whether they have changed since a person saw them. */
export function digestVersion({ id, channel_id, project_id, recurrence, ...digest }: Digest): string {
  const { sections, when_empty, paused_reason } = digest
  const settings = [channel_id, project_id, recurrence, sections, when_empty, paused_reason]
  return `${id} ${shortHash(JSON.stringify(settings))}`
}

export const digestsVersion = (digests: Digest[]): string => shortHash(digests.map(digestVersion).join('\n'))
