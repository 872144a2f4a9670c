import type { Clock } from '../../clock.ts'

/** Slack's rate limit tiers. The local Slack doesn't limit `special` methods. */
export type Tier = 1 | 2 | 3 | 4 | 'special' | 'one per second and channel'

const CALLS_PER_MINUTE: Record<1 | 2 | 3 | 4, number> = { 1: 1, 2: 20, 3: 50, 4: 100 }

/** Slack allows short bursts of messages in a channel. */
const MESSAGE_BURST = 10

const MAX_BUCKETS = 10_000

type Bucket = { tokens: number; updatedAt: number }

export type RateLimits = {
  /** Counts a call. Returns the seconds to wait if the limit is exceeded, or else 0. */
  takeCall: (method: { name: string; tier: Tier }, caller: string, channel: unknown) => number
}

export const NO_RATE_LIMITS: RateLimits = { takeCall: () => 0 }

/** Limits each method and caller, and messages also by channel, with token buckets. */
export function createRateLimits(clock: Clock): RateLimits {
  const buckets = new Map<string, Bucket>()

  const takeToken = (key: string, size: number, tokensPerSecond: number): number => {
    const now = clock.now().getTime() / 1000
    const bucket = buckets.get(key) ?? { tokens: size, updatedAt: now }
    const tokens = Math.min(size, bucket.tokens + (now - bucket.updatedAt) * tokensPerSecond)
    // Keeps memory bounded if a caller makes up channel names.
    if (buckets.size > MAX_BUCKETS) buckets.clear()
    buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, updatedAt: now })
    return tokens < 1 ? Math.max(1, Math.ceil((1 - tokens) / tokensPerSecond)) : 0
  }

  return {
    takeCall({ name, tier }, caller, channel) {
      if (tier === 'special') return 0
      if (tier === 'one per second and channel')
        return takeToken(`${name} ${caller} ${String(channel)}`, MESSAGE_BURST, 1)
      return takeToken(`${name} ${caller}`, CALLS_PER_MINUTE[tier], CALLS_PER_MINUTE[tier] / 60)
    },
  }
}
