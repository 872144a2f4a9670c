import { explainProblem } from '../../media/media-problems.ts'
import { uploadNameOf } from '../../media/media-store.ts'
import { isMediaType } from '../../media/media-type.ts'
import { MAX_FILE_BYTES } from '../../media/upload-limits.ts'
import { stateOf } from '../display/post-states.ts'
import { checkTexts, type PostInput } from './post-input.ts'

/** Returns why a post can't be submitted, keyed by field name. */
export function findPostProblems(body: Partial<PostInput>, { now }: { now: Date }): Record<string, string> {
  const { Content, Media = '', MediaFile, AltText, ScheduleDate, TemplateId, PromptId } = body
  const isDraft = body.Status === 'DRAFT'
  const isEmpty = !(Content || Media || MediaFile || TemplateId || PromptId)
  // A draft may exceed the limits of its platforms for now.
  const checks = isDraft ? [] : checkTexts(body)
  const mediaErrors = checks.flatMap(({ errors }) => errors.Media)
  const textErrors = Object.fromEntries(checks.map(({ field, errors }) => [field, errors.Content.join(' ')]))
  const remainingMs = new Date(ScheduleDate ?? now).getTime() - now.getTime()
  // The form may have been open for a while, so the date may have passed since Upnext read it.
  const pastProblem = remainingMs < 0 ? 'That time has passed. Enter a later one.' : ''
  const dateProblem = ScheduleDate ? pastProblem : 'Enter a date, or save the post as a draft.'
  const describesLink = AltText && !MediaFile && uploadNameOf(Media) === undefined
  return {
    ...textErrors,
    Content: isEmpty ? 'Enter some text, or pick a template, a prompt or media.' : (textErrors.Content ?? ''),
    MediaFile: MediaFile ? fileProblem(body, mediaErrors) : '',
    Media: MediaFile ? '' : mediaErrors.join(' '),
    AltText: describesLink
      ? 'Only uploaded files can have a description. Clear the description, or upload the file.'
      : '',
    ScheduleDate: isDraft ? '' : dateProblem,
    Status: stateOf(body).findProblem?.(remainingMs) ?? '',
  }
}

function fileProblem({ Media, MediaFile }: Partial<PostInput>, errors: string[]): string {
  if (Media) return 'You added a file and a link. Remove one of them.'
  const { content_type = '', size = 0 } = MediaFile ?? {}
  if (/^image\/hei[cf]/.test(content_type)) return explainProblem('convert to JPEG')
  // Slack doesn't always report a file's type and size.
  if (content_type && !isMediaType(content_type)) return explainProblem('unknown type')
  if (size > MAX_FILE_BYTES) return explainProblem('too large')
  return errors.join(' ')
}
