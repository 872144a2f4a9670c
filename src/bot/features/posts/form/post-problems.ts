import { CONVERT_MESSAGE, explainProblem } from '../../media/media-problems.ts'
import { uploadNameOf } from '../../media/media-store.ts'
import { isMediaType } from '../../media/media-type.ts'
import { MAX_FILE_BYTES } from '../../media/upload-limits.ts'
import { stateOf } from '../display/post-states.ts'
import { checkTexts, type PostInput } from './post-input.ts'

/** Returns why a post can't be submitted, by the names of the fields. */
export function findPostProblems(body: Partial<PostInput>, { now }: { now: Date }): Record<string, string> {
  const isDraft = body.Status === 'DRAFT'
  const isEmpty = !(body.Content || body.Media || body.MediaFile || body.TemplateId || body.PromptId)
  // A draft may exceed the limits of its platforms for now.
  const checks = isDraft ? [] : checkTexts(body)
  const mediaErrors = checks.flatMap(({ errors }) => errors.Media)
  const textErrors = Object.fromEntries(checks.map(({ field, errors }) => [field, errors.Content.join(' ')]))
  const remainingMs = new Date(body.ScheduleDate ?? now).getTime() - now.getTime()
  const isPast = Boolean(body.ScheduleDate) && remainingMs < 0
  return {
    ...textErrors,
    Content: isEmpty ? 'Enter some text, or pick a template, a prompt or media.' : (textErrors.Content ?? ''),
    MediaFile: body.MediaFile ? fileProblem(body, mediaErrors) : '',
    Media: body.MediaFile ? '' : mediaErrors.join(' '),
    AltText: describesLink(body)
      ? 'Only uploaded files can have a description. Clear it, or upload the file.'
      : '',
    ScheduleDate: isDraft ? '' : dateProblem(body, isPast),
    Status: stateOf(body).findProblem?.(remainingMs) ?? '',
  }
}

function fileProblem({ Media, MediaFile }: Partial<PostInput>, errors: string[]): string {
  if (Media) return 'You added a file and a link. Remove one of them.'
  const { content_type = '', size = 0 } = MediaFile ?? {}
  if (/^image\/hei[cf]/.test(content_type)) return CONVERT_MESSAGE
  // Slack doesn't always report a file's type and size.
  if (content_type && !isMediaType(content_type)) return explainProblem('unknown type')
  if (size > MAX_FILE_BYTES) return explainProblem('too large')
  return errors.join(' ')
}

const describesLink = ({ AltText, Media, MediaFile }: Partial<PostInput>): boolean =>
  Boolean(AltText && !MediaFile && uploadNameOf(Media ?? '') === undefined)

function dateProblem({ ScheduleDate }: Partial<PostInput>, isPast: boolean): string {
  if (!ScheduleDate) return 'Enter a date, or save the post as a draft.'
  // The form may have been open for a while, so the date may have passed since Upnext read it.
  return isPast ? 'That time has passed. Enter a later one.' : ''
}
