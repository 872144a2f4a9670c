/** What the page's address says: who one is, and where. */
export type Address = { as: string; channel?: string; message?: string }

export function readAddress(): Address {
  const given = Object.fromEntries(new URLSearchParams(location.search))
  // A link into this Slack does not make one somebody else.
  const as = given.as ?? sessionStorage.getItem('as') ?? ''
  sessionStorage.setItem('as', as)
  return { ...given, as }
}

/** Keeps the place in the address, so that a reload comes back to it. */
export function rememberPlace(channel: string): void {
  const address = new URL(location.href)
  address.searchParams.set('channel', channel)
  address.searchParams.delete('message')
  history.replaceState(null, '', address)
}

/** To be somebody else is to sit at another desk: the page starts anew. */
export function becomeAddress(handle: string): string {
  const address = new URL(location.href)
  address.search = ''
  address.searchParams.set('as', handle)
  return address.href
}
