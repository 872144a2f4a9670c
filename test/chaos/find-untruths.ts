/** What a person was told after they tried to change a post. */
export type Heard =
  | 'changed'
  | 'cancelled'
  | 'gone'
  | 'published'
  | 'handed over'
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
  insists: boolean
  startedAt: number
  endedAt?: number
  heard: Heard
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
  /** The message of the post in the channel, as JSON. */
  message: string | undefined
  /** False if an instance was killed after it posted the message and before it stored that. */
  isRemembered: boolean
  row?: unknown
}

/** What people were told that isn't so, and changes that were lost, doubled or mixed up. */
export function findUntruths(
  { marker, attempts }: Round,
  { posts, message = '', isRemembered, row }: Ending,
): string[] {
  const problems: string[] = []
  const report = (problem: string) =>
    problems.push(`${marker} ${problem} ${JSON.stringify({ attempts, posts, row })}`)
  const heard = (what: Heard) => attempts.filter((attempt) => attempt.heard === what)
  const [post] = posts
  if (posts.length > 1) report('is there more than once')
  if ((heard('cancelled').length || heard('gone').length) && post) report('was cancelled, but is there')
  const mayBeCancelled = attempts.some(
    ({ kind, heard }) => kind === 'cancel' && ['cancelled', 'nothing'].includes(heard),
  )
  if (!post && !mayBeCancelled) report('is lost')
  if (heard('published').length && post?.Status !== 'PUBLISHED') report("was called published, but isn't")
  if (heard('handed over').length && !post) report("was called handed over, but isn't there")
  if (post)
    problems.push(
      ...findMixedUp(post, attempts).map(
        (problem) => `${marker} ${problem} ${JSON.stringify({ attempts, posts })}`,
      ),
    )
  if (message && isRemembered) {
    if (!post !== message.includes('Cancelled in')) report(`has a message that says ${title(message)}`)
    else if (post && !message.includes(`${post.Content}"`))
      report(`has a message with an older text, ${title(message)}`)
  }
  return problems
}

/** An edit sets text, day and platforms together. A new schedule sets the day alone. */
function findMixedUp(
  { Content = '', ScheduleDate = '', Platforms = [], Status }: FoundPost,
  attempts: Attempt[],
) {
  const problems: string[] = []
  const edit = attempts.find(({ kind, version }) => kind === 'edit' && Content.endsWith(` ${version}`))
  if (!edit && !Content.endsWith(' v0')) problems.push('has a text that nobody wrote')
  if (Platforms.join() !== platformsOf(edit).join()) problems.push('has the platforms of another version')
  const reschedules = attempts.filter(({ kind }) => kind === 'reschedule')
  const days = [edit?.day ?? FIRST_DAY, ...reschedules.map(({ day }) => day)].map(dateOf)
  // The run itself changed the date of a post that became due.
  if (Status !== 'PUBLISHED' && !days.includes(ScheduleDate.slice(0, 10)))
    problems.push('has the day of another version')
  const saved = attempts.filter(({ kind, heard }) => kind === 'edit' && heard === 'changed')
  const isOverwritten = saved.some(({ startedAt }) => startedAt > (edit ? (edit.endedAt ?? startedAt) : 0))
  const wasSaved = !edit || edit.heard === 'changed'
  if (wasSaved && isOverwritten) problems.push('has lost a later edit')
  return problems
}

/** The day for which posts are scheduled at first. */
export const FIRST_DAY = 3

const DAY_MS = 24 * 60 * 60_000
export const HOUR = '12:00'

/** At noon, a day is the same in UTC and in Berlin. */
export const dateOf = (day: number): string => new Date(Date.now() + day * DAY_MS).toISOString().slice(0, 10)

/** Every second version is for more than one platform. */
export const platformsOf = (edit: Pick<Attempt, 'day'> | undefined): string[] =>
  edit && edit.day % 2 ? ['LINKEDIN', 'X'] : ['X']

const title = (message: string): string =>
  [...message.matchAll(/"text":"([^"]*)"/g)]
    .slice(0, 3)
    .map(([, text]) => text)
    .join(' | ')
