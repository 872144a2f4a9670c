import type { Post } from '../../../../api/records.ts'
import { postTime } from '../../../../api/timestamps.ts'
import { sortBySchedule } from './post-blocks.ts'
import { stateOf } from './post-states.ts'

/** Two posts on one platform that are closer than this collide. */
export const COLLISION_WINDOW_MS = 15 * 60_000

export const COLLISION_NOTE = ' · :warning: within 15 minutes of another post'

/** Upcoming posts that collide with another post, which may already be published. */
export function findCollidingPosts(posts: Post[]): Set<Post> {
  const collisions = new Set<Post>()
  const latest = new Map<string, Post>()
  for (const post of sortBySchedule(posts.filter(mayCollide)))
    for (const platform of new Set(post.Platforms)) {
      const earlier = latest.get(platform)
      latest.set(platform, post)
      if (!earlier || timeOf(post) - timeOf(earlier) >= COLLISION_WINDOW_MS) continue
      for (const one of [earlier, post]) if (stateOf(one).isComing) collisions.add(one)
    }
  return collisions
}

/** Drafts may stay drafts, and failed posts don't go out. */
export const mayCollide = ({ Status = '' }: Post): boolean => !['DRAFT', 'FAILED'].includes(Status)

const timeOf = (post: Post): number => postTime(post)?.toMillis() ?? Number.NaN
