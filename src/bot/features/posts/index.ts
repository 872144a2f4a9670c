import type { Module } from '../../slack/feature.ts'
import { showMonth, showWeek } from './calendar/show-calendar.ts'
import { cancelPost } from './cancel-post.ts'
import { editPost } from './edit-post.ts'
import { holdPosts } from './hold-posts.ts'
import { findPosts, listPosts } from './list-posts.ts'
import { FOLLOW_JOB, followHandler } from './messages/follow-post.ts'
import { messageUpdateHandler } from './messages/keep-messages-current.ts'
import { MESSAGE_UPDATE } from './messages/post-message-store.ts'
import { previewPost } from './preview-post.ts'
import { reschedulePost } from './reschedule-post.ts'
import { retryPost } from './retry-post.ts'
import { type OpenPlan, schedulePostOrPlan } from './schedule-post.ts'
import { sharePost } from './share-post.ts'
import { upNext } from './up-next.ts'

/** `openPlan` opens the review of several pasted posts or of a CSV file. */
export const postsModule = (openPlan: OpenPlan): Module => ({
  heading: 'Posts',
  features: [
    upNext,
    schedulePostOrPlan(openPlan),
    showWeek,
    showMonth,
    listPosts,
    findPosts,
    editPost,
    reschedulePost,
    cancelPost,
    retryPost,
    previewPost,
    sharePost,
    holdPosts,
  ],
  jobs: (context) => [messageUpdateHandler(context), followHandler(context)],
  jobLabels: { [MESSAGE_UPDATE]: 'Message updates', [FOLLOW_JOB]: 'Messages about scheduled posts' },
})
