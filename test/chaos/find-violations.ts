/** What a person was told after they tried to change a post. */
export type Told =
  | 'changed'
  | 'cancelled'
  | 'gone'
  | 'published'
  | 'handed over'
  | 'perhaps not sent'
  /** The change is asked about first. */
  | 'waiting'
  /** Someone else changed the post first. */
  | 'conflict'
  /** Nothing clear: the change may have taken effect. */
  | 'nothing'

export type Attempt = {
  kind: 'edit' | 'reschedule' | 'cancel'
  /** What an edit writes into the text. */
  version: string
  /** For which day from now an edit or a new schedule is. */
  day: number
  /** Replaces the changes that someone else made meanwhile. */
  overwrites: boolean
  startedAt: number
  endedAt?: number
  told: Told
}

/** Several people who change one post. */
export type Round = {
  /** The beginning of the post's text. */
  marker: string
  group: string
  attempts: Attempt[]
  /** The time of the post came meanwhile. */
  isDue: boolean
}

type FoundPost = { Content?: string; ScheduleDate?: string; Platforms?: string[]; Status?: string }

type Ending = {
  /** In the service, held, and on their way. */
  posts: FoundPost[]
  /** The blocks of the post's message in the channel, as JSON. */
  message: string | undefined
  /** False if an instance was killed after it posted the message and before it stored that. */
  isTracked: boolean
  /** The author has been asked what became of the post, because a lookup couldn't show it. */
  isAsked: boolean
}

/** What people were told or shown that isn't so, and changes that were lost, doubled or mixed up. */
export function findViolations({ marker, attempts }: Round, ending: Ending): string[] {
  const { posts, message, isTracked, isAsked } = ending
  const problems: string[] = []
  const wasTold = (what: Told) => attempts.some(({ told }) => told === what)
  const [post] = posts
  if (posts.length > 1) problems.push('is there more than once')
  if ((wasTold('cancelled') || wasTold('gone')) && post) problems.push('was cancelled, but is there')
  const mayBeCancelled = attempts.some(
    ({ kind, told }) => kind === 'cancel' && ['cancelled', 'nothing'].includes(told),
  )
  if (!post && !mayBeCancelled && !isAsked) problems.push('is lost')
  if (wasTold('published') && post?.Status !== 'PUBLISHED') problems.push("was called published, but isn't")
  if (wasTold('handed over') && !post && !isAsked) problems.push("was called handed over, but isn't there")
  if (post) problems.push(...findMixedUp(post, attempts))
  if (message === undefined) problems.push('has no message')
  else if (isAsked && !message.includes('May not have been sent'))
    problems.push('has a message that hides that it may be lost')
  else if (isTracked && !isAsked) problems.push(...findWrongMessage(message, post))
  return problems.map((problem) => `${marker} ${problem} ${JSON.stringify({ attempts, posts, message })}`)
}

/** An edit sets text, day and platforms together. A new schedule sets the day alone. */
function findMixedUp(post: FoundPost, attempts: Attempt[]): string[] {
  const { Content = '', ScheduleDate = '', Platforms = [], Status } = post
  const problems: string[] = []
  const edits = attempts.filter(({ kind }) => kind === 'edit')
  const edit = edits.find(({ version }) => Content.endsWith(` ${version}`))
  if (!edit && !Content.endsWith(' v0')) problems.push('has a text that nobody wrote')
  if (Platforms.join() !== platformsOf(edit).join()) problems.push('has the platforms of another version')
  if (isOverwritten(edit, edits)) problems.push('has lost a later edit')
  // The run itself changed the date of a post that was published.
  if (Status === 'PUBLISHED') return problems
  const schedules = attempts.filter(({ kind }) => kind !== 'cancel')
  const possible = [undefined, ...schedules].filter((attempt) => !isOverwritten(attempt, schedules))
  const days = possible.map((attempt) => dateOf(attempt?.day ?? FIRST_DAY))
  if (!days.includes(ScheduleDate.slice(0, 10))) problems.push('has a day that was overwritten or never set')
  return problems
}

/** Whether a later change certainly replaced this one, or the post as it was at first. */
function isOverwritten(attempt: Attempt | undefined, others: Attempt[]): boolean {
  // A change without an answer may take effect late.
  if (attempt && attempt.told !== 'changed') return false
  const endedAt = attempt?.endedAt ?? 0
  return others.some(({ told, startedAt }) => told === 'changed' && startedAt > endedAt)
}

function findWrongMessage(message: string, post: FoundPost | undefined): string[] {
  const isCancelled = message.includes('Cancelled in')
  if (!post !== isCancelled) return ['has a message with another state']
  const hasMenu = message.includes('"edit:ask ')
  if ((isCancelled || message.includes('Handed over')) && hasMenu)
    return ['has a message with a useless menu']
  // The run itself changed the date of a post that was published.
  if (!post || post.Status === 'PUBLISHED') return []
  const { Content, ScheduleDate = '', Platforms = [] } = post
  const shown = [`${Content}"`, `<!date^${Date.parse(ScheduleDate) / 1000}^`]
  const arePlatformsShown = [`* · ${namesOf(Platforms)}"`, `* · ${namesOf(Platforms)} · `].some((line) =>
    message.includes(line),
  )
  const isCurrent = arePlatformsShown && shown.every((text) => message.includes(text))
  return isCurrent ? [] : ['has a message that shows an older version']
}

const NAMES: Record<string, string> = { LINKEDIN: 'LinkedIn', X: 'X' }
const namesOf = (platforms: string[]) => platforms.map((platform) => NAMES[platform]).join(', ')

/** The day for which posts are scheduled at first. */
export const FIRST_DAY = 3

export const HOUR = '12:00'

const DAY_MS = 24 * 60 * 60_000
const startedAt = Date.now()

/** At noon, a day is the same in UTC and in Berlin. */
export const dateOf = (day: number): string => new Date(startedAt + day * DAY_MS).toISOString().slice(0, 10)

/** Every second version is for more than one platform. */
export const platformsOf = (edit: Pick<Attempt, 'day'> | undefined): string[] =>
  edit && edit.day % 2 ? ['LINKEDIN', 'X'] : ['X']
