import { z } from 'zod'
import type { PartialPost, Post } from '../../../../api/records.ts'
import type { OpenedRecord } from '../../../forms/form-value.ts'
import { HANDED_OVER, isHeld, NOT_SENT } from './post-states.ts'

/** The value of a button or menu entry for a post. */
export const PostReference = z.object({
  project_id: z.string(),
  post_id: z.string(),
  /** If true, the post is held in Upnext, and `post_id` is not an id of the service. */
  is_held: z.boolean().optional(),
})
export type PostReference = z.output<typeof PostReference>

export function postReferenceOf(project_id: string, post: Post): PostReference | undefined {
  const { Id, Status } = post
  if (!Id || Status === HANDED_OVER || Status === NOT_SENT) return undefined
  return { project_id, post_id: Id, ...(isHeld(post) && { is_held: true }) }
}

/** The version of a post that a form was opened with. `Media` is the link to the post's media, if it's an upload. */
export type OpenedPost = OpenedRecord &
  PostReference &
  Pick<PartialPost, 'Status' | 'Platforms' | 'Media'> & {
    /** The ids of the changes waiting for approval that the form showed. */
    waiting_changes?: string[]
  }
