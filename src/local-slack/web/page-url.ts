/** What the page's URL says: the user, and optionally a channel and a message in it. */
export type PageUrl = { userHandle: string; channelId?: string | undefined; messageTs?: string | undefined }

export function readPageUrl(): PageUrl {
  const query = new URLSearchParams(location.search)
  // Links to messages don't name a user, so the browser tab keeps its user.
  const userHandle = query.get('as') ?? sessionStorage.getItem('as') ?? ''
  sessionStorage.setItem('as', userHandle)
  return {
    userHandle,
    channelId: query.get('channel') ?? undefined,
    messageTs: query.get('message') ?? undefined,
  }
}

/** Puts the channel into the URL, so that a reload opens it again. */
export function rememberChannel(channelId: string): void {
  const url = new URL(location.href)
  url.searchParams.set('channel', channelId)
  url.searchParams.delete('message')
  history.replaceState(null, '', url)
}

/** The URL that opens this page as another user. */
export function switchUserUrl(handle: string): string {
  const url = new URL(location.href)
  url.search = ''
  url.searchParams.set('as', handle)
  return url.href
}
