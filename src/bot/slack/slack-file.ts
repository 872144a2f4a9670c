import { z } from 'zod'
import type { MediaFacts } from '../../platforms/platform-media.ts'
import { truncate } from './message-blocks.ts'

/** A file that a user added to a form or a message, with the facts that Slack knows about it. */
export type SlackFile = MediaFacts & { id: string; name: string }

const MAX_NAME_LENGTH = 100

/** The parts of Slack's file objects that the bot uses. A file of another organization may have only an id. */
const SlackFileObject = z
  .object({
    id: z.string(),
    // File names are stored in the metadata of forms, and Slack limits its length.
    name: z
      .string()
      .transform((name) => truncate(name, MAX_NAME_LENGTH))
      .catch('file'),
    mimetype: z.string().catch(''),
    size: z.number().catch(0),
    original_w: z.number().positive().optional().catch(undefined),
    original_h: z.number().positive().optional().catch(undefined),
    image_exif_rotation: z.number().catch(1),
    duration_ms: z.number().positive().optional().catch(undefined),
  })
  .transform(
    ({ mimetype, original_w, original_h, image_exif_rotation, duration_ms, ...file }): SlackFile => ({
      ...file,
      content_type: mimetype,
      // The width and height of a rotated photo may be swapped, so they are left out.
      ...(image_exif_rotation === 1 && { width: original_w, height: original_h }),
      seconds: duration_ms && duration_ms / 1000,
    }),
  )

/** Reads one of Slack's file objects. Returns a file from a form's metadata as it is. */
export const readSlackFile = (file: unknown): SlackFile | undefined =>
  isSlackFile(file) ? file : SlackFileObject.safeParse(file).data

const isSlackFile = (file: unknown): file is SlackFile =>
  typeof file === 'object' && file !== null && 'content_type' in file
