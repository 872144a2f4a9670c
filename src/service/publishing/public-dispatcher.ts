import { lookup, promises } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'

export class PrivateAddressError extends Error {
  constructor(hostname: string) {
    super(`${hostname} leads to a private address, and WEBHOOKS_TO_PRIVATE_ADDRESSES isn't set`)
  }
}

/** The `dispatcher` option of `fetch`. */
export type Dispatcher = NonNullable<RequestInit['dispatcher']>

/** Makes `fetch` connect only to addresses on the internet, and not to this machine or its network. */
export function createPublicDispatcher(): Dispatcher {
  const connect = buildConnector({ lookup: lookupPublicAddresses })
  const agent = new Agent({
    // `lookup` runs only for names, so an IP address is checked here.
    connect: (options, callback) =>
      isIP(options.hostname) && !isPublic(options.hostname)
        ? callback(new PrivateAddressError(options.hostname), null)
        : connect(options, callback),
  })
  // The cast is needed because Node.js declares its own types for undici.
  return agent as unknown as Dispatcher
}

/** Checks the addresses that the connection uses. A name may have had other addresses a moment before. */
const lookupPublicAddresses: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error, [])
    if (!addresses.every(({ address }) => isPublic(address)))
      return callback(new PrivateAddressError(hostname), [])
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
  })

/**
 * Lets callers report a private address before any request is made. A name that can't be resolved yet doesn't count as
 * private.
 */
export async function isPrivateUrl(url: string): Promise<boolean> {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const addresses = await promises.lookup(hostname, { all: true }).catch(() => [])
  return !addresses.every(({ address }) => isPublic(address))
}

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast'
