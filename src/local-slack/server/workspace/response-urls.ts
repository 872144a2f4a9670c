import type { Slack } from './slack.ts'

/** Where the app may answer what a person did, a few times and for a while. */
export type ResponseUrl = {
  channel: string
  user: string
  /** The message that was pressed: it can be replaced. */
  message?: string
  until: Date
  uses: number
}

const LIFE_MS = 30 * 60_000
const USES = 5
/** So long it is told from one that never was. */
const MEMORY_MS = 2 * LIFE_MS

type Place = Pick<ResponseUrl, 'channel' | 'user' | 'message'> & { for: 'commands' | 'actions' }

export function makeResponseUrl(slack: Slack, { for: kind, ...place }: Place): string {
  const path = `/${kind}/${slack.team.id}/${slack.responseUrls.size + 1}/${slack.ids.secret()}`
  const until = new Date(slack.clock.now().getTime() + LIFE_MS)
  slack.responseUrls.set(path, { ...place, until, uses: 0 })
  slack.clock.after(MEMORY_MS, () => slack.responseUrls.delete(path))
  return slack.url + path
}

type Refusal = 'invalid_url' | 'expired_url' | 'used_url'

export function spendResponseUrl(slack: Slack, path: string): { place: ResponseUrl } | { refusal: Refusal } {
  const place = slack.responseUrls.get(path)
  if (!place) return { refusal: 'invalid_url' }
  if (slack.clock.now() > place.until) return { refusal: 'expired_url' }
  if (place.uses >= USES) return { refusal: 'used_url' }
  place.uses += 1
  return { place }
}
