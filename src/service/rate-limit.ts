import type { FastifyReply } from 'fastify'
import ipaddr from 'ipaddr.js'
import { RequestError } from './validation/errors.ts'

const WINDOW_MS = 60_000
const MAX_KNOWN_TOKENS = 10_000

export type RateLimit = ReturnType<typeof createRateLimit>

type RateLimitOptions = {
  /** 0 turns the limits off. */
  maxRequests: number
  /** Requests with this key aren't counted. */
  unlimitedKey: string | undefined
  now: () => Date
}

/** Counts requests in memory, so each instance has limits of its own. */
export function createRateLimit({ maxRequests, unlimitedKey, now }: RateLimitOptions) {
  /** Ordered by start, oldest first. */
  const windows = new Map<string, { startedAt: number; requests: number }>()
  /** Tokens that were found valid. */
  const knownTokens = new Set<string>()

  const removeExpiredWindows = () => {
    for (const [key, { startedAt }] of windows) {
      // The clock may have been set back.
      if (Math.abs(now().getTime() - startedAt) < WINDOW_MS) return
      windows.delete(key)
    }
  }

  const rateLimit = {
    /** Clients with a known token keep their access while another client in their network guesses tokens. */
    isKnownToken: (key: string): boolean => key === unlimitedKey || knownTokens.has(key),

    rememberToken(key: string): void {
      knownTokens.add(key)
      if (knownTokens.size > MAX_KNOWN_TOKENS) knownTokens.clear()
    },

    /** Counts the request and sets the RateLimit headers of the IETF draft. Throws if the limit is exceeded. */
    countRequest(key: string, reply: FastifyReply): void {
      if (!maxRequests || key === unlimitedKey) return
      removeExpiredWindows()
      const { startedAt, requests } = windows.get(key) ?? { startedAt: now().getTime(), requests: 0 }
      windows.set(key, { startedAt, requests: requests + 1 })
      const resetSeconds = Math.ceil((startedAt + WINDOW_MS - now().getTime()) / 1000)
      const remaining = Math.max(0, maxRequests - requests - 1)
      reply.header('ratelimit-policy', `"default";q=${maxRequests};w=${WINDOW_MS / 1000}`)
      reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`)
      if (requests < maxRequests) return
      reply.header('retry-after', resetSeconds)
      throw new RequestError(429, `Too many requests. Try again in ${resetSeconds} s.`)
    },

    /** Throws if the next request with this key would exceed the limit. */
    requireQuota(key: string, reply: FastifyReply): void {
      if ((windows.get(key)?.requests ?? 0) >= maxRequests) rateLimit.countRequest(key, reply)
    },
  }
  return rateLimit
}

/**
 * Returns a client's network. Requests without a valid token are counted by network, because an IPv6 client can use a whole
 * /64.
 */
export function findNetwork(ip: string | undefined): string {
  if (!ip) return '' // The client has already disconnected.
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv6' ? address.toByteArray().slice(0, 8).join('.') : address.toString()
}
