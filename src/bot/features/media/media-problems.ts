import { formatBytes } from '../../../platforms/platform-media.ts'
import { MAX_FILE_BYTES, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_MEGAPIXELS } from './upload-limits.ts'

/** Why a file can't be uploaded. */
export type MediaProblem = keyof typeof MESSAGES

/** Thrown if a file can't be uploaded. */
export class MediaError extends Error {
  readonly problem: MediaProblem
  constructor(problem: MediaProblem, options?: ErrorOptions) {
    super(problem, options)
    this.problem = problem
  }
}

const MESSAGES = {
  'no access':
    "Slack doesn't let Upnext read this file. Upload it in the form, or invite Upnext to the channel with the file.",
  'too large': `This file is too large. Images can be up to ${formatBytes(MAX_IMAGE_BYTES)}, videos up to ${formatBytes(MAX_FILE_BYTES)}.`,
  'no space':
    'Your workspace has too little space left for this file. Delete uploads with `/upnext media`, or use a link.',
  'unknown type': "This isn't an image or video that can be posted. Use JPEG, PNG, WebP, GIF, MP4 or MOV.",
  'convert to JPEG': "This image format can't be used. Convert it to JPEG first.",
  damaged: "This file can't be read. Check that it opens on your computer, and upload it again.",
  'too many pixels': `This image has more than ${MAX_MEGAPIXELS} megapixels, or a side of more than ${MAX_IMAGE_SIDE.toLocaleString('en-US')} pixels. Upload a smaller one.`,
  'too complex': 'This image takes too much time or memory to check. Save it again as a plain JPEG or PNG.',
  unreachable: "This file couldn't be fetched from Slack. Try again.",
}

export const explainProblem = (problem: MediaProblem): string => MESSAGES[problem]

/** Pass this to `catch`. Returns the problem of a MediaError, and throws other errors again. */
export function mediaProblemOrThrow(error: unknown): MediaProblem {
  if (error instanceof MediaError) return error.problem
  throw error
}
