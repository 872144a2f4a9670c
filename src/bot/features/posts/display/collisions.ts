import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'
import { stateOf } from './post-states.ts'

/** Two posts on the same platform collide if they are scheduled closer together than this. */
export const COLLISION_WINDOW_MINUTES = 15
export const COLLISION_WINDOW_MS = COLLISION_WINDOW_MINUTES * 60_000

export const COLLISION_NOTE = ` · :warning: within ${COLLISION_WINDOW_MINUTES} minutes of another post`

/** Upcoming posts that collide with another post, which may already be published. */
export function findCollidingPosts(posts: Post[]): Set<Post> {
  const collisions = new Set<Post>()
  const dated = posts.filter(mayCollide).flatMap((post) => {
    const at = postTime(post)?.toMillis()
    return at === undefined ? [] : [{ post, at }]
  })
  dated.sort((a, b) => a.at - b.at)
  const latest = new Map<string, (typeof dated)[number]>()
  for (const current of dated)
    for (const platform of new Set(current.post.Platforms)) {
      const earlier = latest.get(platform)
      latest.set(platform, current)
      if (!earlier || current.at - earlier.at >= COLLISION_WINDOW_MS) continue
      for (const { post } of [earlier, current]) if (stateOf(post).willGoOut) collisions.add(post)
    }
  return collisions
}

/** Drafts may stay drafts, and failed posts don't go out. */
export const mayCollide = ({ Status = '' }: Post): boolean => !['DRAFT', 'FAILED'].includes(Status)
