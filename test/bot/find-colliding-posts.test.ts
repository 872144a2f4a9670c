import { expect, it } from 'vitest'
import type { Post } from '../../src/api/records.ts'
import { findCollidingPosts } from '../../src/bot/features/posts/display/collisions.ts'

const post = (Id: string, ScheduleDate: string, Platforms = ['X']): Post => ({
  ...{ Id, Content: Id, Timezone: 'UTC', Platforms, Status: 'SCHEDULED', raw: {} },
  ...(ScheduleDate && { ScheduleDate }),
})

it('finds posts on one platform that are less than 15 minutes apart, in whatever order they are listed', () => {
  const posts = [
    post('third', '2027-01-11T09:20:00Z'),
    post('first', '2027-01-11T08:00:00Z'),
    post('fourth', '2027-01-11T09:35:00Z'),
    post('second', '2027-01-11T09:10:00Z'),
    post('elsewhere', '2027-01-11T08:05:00Z', ['LINKEDIN']),
    post('undated', ''),
  ]
  expect([...findCollidingPosts(posts)].map(({ Id }) => Id)).toEqual(['second', 'third'])
})
