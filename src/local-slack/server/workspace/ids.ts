import type { World } from '../../../world.ts'
import type { Clock } from '../../clock.ts'

export type Ids = {
  /** As Slack's look: a letter for the kind, then digits and capitals. In order, so that they can be followed. */
  next: (letter: 'A' | 'B' | 'C' | 'D' | 'F' | 'G' | 'Q' | 'T' | 'U' | 'V') => string
  /** What nobody can guess. */
  secret: () => string
  /** For a block or an element whose author gave it none. */
  short: () => string
  uuid: () => string
  /** A message's `ts`: when it was written, and no two alike. */
  ts: () => string
}

export function createIds(clock: Clock, world: Pick<World, 'randomBytes' | 'newId'>): Ids {
  let count = 0
  let lastTs = 0
  return {
    next: (letter) => `${letter}0${(++count).toString(36).toUpperCase().padStart(8, '0')}`,
    secret: () => world.randomBytes(18).toString('hex'),
    short: () => world.randomBytes(4).toString('base64url').slice(0, 5),
    uuid: world.newId,
    ts() {
      lastTs = Math.max(clock.now().getTime() * 1000, lastTs + 1)
      return `${Math.floor(lastTs / 1e6)}.${String(lastTs % 1e6).padStart(6, '0')}`
    },
  }
}
