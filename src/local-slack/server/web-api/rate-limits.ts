import type { Clock } from '../../clock.ts'

/** How often a minute at least, as Slack's pages have it; `special` is not limited here. */
export type Tier = 1 | 2 | 3 | 4 | 'special' | 'a second in a channel'

const A_MINUTE: Record<1 | 2 | 3 | 4, number> = { 1: 1, 2: 20, 3: 50, 4: 100 }

/** Messages may come in short bursts. */
const BURST = 10

const MOST_BUCKETS = 10_000

type Bucket = { left: number; at: number }

export const NO_LIMITS: RateLimits = { wait: () => 0 }

/** Says how many seconds to wait, or 0. */
export type RateLimits = {
  wait: (method: { name: string; tier: Tier }, caller: string, channel: unknown) => number
}

/** A bucket for each method and caller, and for each channel where messages are limited there. */
export function createRateLimits(clock: Clock): RateLimits {
  const buckets = new Map<string, Bucket>()

  const take = (key: string, size: number, perSecond: number): number => {
    const now = clock.now().getTime() / 1000
    const bucket = buckets.get(key) ?? { left: size, at: now }
    const left = Math.min(size, bucket.left + (now - bucket.at) * perSecond)
    if (buckets.size > MOST_BUCKETS) buckets.clear() // whoever makes up so many names is not held to them
    buckets.set(key, { left: left < 1 ? left : left - 1, at: now })
    return left < 1 ? Math.max(1, Math.ceil((1 - left) / perSecond)) : 0
  }

  return {
    wait({ name, tier }, caller, channel) {
      if (tier === 'special') return 0
      if (tier === 'a second in a channel') return take(`${name} ${caller} ${String(channel)}`, BURST, 1)
      return take(`${name} ${caller}`, A_MINUTE[tier], A_MINUTE[tier] / 60)
    },
  }
}
