import type { PlatformTexts } from '../../../api/field-readers.ts'
import type { Post } from '../../../api/records.ts'
import { ownZone, postTime } from '../../../api/timestamps.ts'
import { describeMediaLimits, formatBytes } from '../../../platforms/platform-media.ts'
import { PLATFORMS, platformName } from '../../../platforms/platform-names.ts'
import { MAX_TITLE_LENGTHS } from '../../../platforms/title-lengths.ts'
import { momentToWords } from '../../../time/describe.ts'
import type { ReadingContext } from '../../../time/reading.ts'
import { advanced, expected, type Field, optional, type Prefill } from '../../forms/field.ts'
import {
  dateField,
  firstValue,
  LOAD_FAILED_CHOICE,
  linkField,
  platformsField,
  searchAmong,
  searchSelectField,
  selectField,
  textField,
} from '../../forms/fields.ts'
import { fileField } from '../../forms/file-field.ts'
import type { FormDefinition, NoteContext, Offer } from '../../forms/form.ts'
import type { FormValues } from '../../forms/form-value.ts'
import type { Actor } from '../../slack/actor.ts'
import type { Bot } from '../../slack/bot.ts'
import { findWorkspaceEmoji } from '../../slack/emoji-names.ts'
import type { SearchContext } from '../../slack/feature.ts'
import { type Choice, escapeText, type Viewer } from '../../slack/message-blocks.ts'
import { hasOptionalRule, TO_APPROVE } from '../approvals/approval-store.ts'
import { CONVERT_MESSAGE, explainProblem } from '../media/media-problems.ts'
import { uploadNameOf } from '../media/media-store.ts'
import { isMediaType } from '../media/media-type.ts'
import { MAX_FILE_BYTES, MAX_FORM_FILE_BYTES } from '../media/upload-limits.ts'
import { listKnownRecords } from '../projects/projects-store.ts'
import { platformNames, quotePost } from './post-blocks.ts'
import type { OpenedPost } from './post-reference.ts'
import { HAND_OVER_LEAD_MS, HAND_OVER_MINUTES, HELD, STATE_CHOICES } from './post-states.ts'
import { checkTexts, FILE_TYPES, POST_UPLOAD, type PostInput, textFieldName } from './post-upload.ts'
import { findPostWarnings } from './post-warnings.ts'
import { previewBlocks } from './preview.ts'
import { SLOT_COMPLETION } from './slot-completion.ts'

const MAX_ALT_TEXT_LENGTH = 1000

/** Gives each platform its own text field, which at first contains the common text. */
const VARY: Offer = {
  field: 'Platforms',
  label: 'Vary by platform',
  isOffered: ({ Platforms, ...values }) =>
    Array.isArray(Platforms) &&
    Platforms.length > 1 &&
    Platforms.some((name) => !values[textFieldName(name)]),
  change: ({ Content, Platforms, ...values }) => {
    const names = Array.isArray(Platforms) ? Platforms : []
    return Object.fromEntries(
      names.map((name) => [textFieldName(name), values[textFieldName(name)] || Content]),
    )
  },
}

const titleFieldName = (platform: string): string => `Titles.${platform}`

/** The fields for titles, each shown when its platform is selected. */
const TITLE_FIELDS: Record<string, Field<string>> = Object.fromEntries(
  Object.entries(MAX_TITLE_LENGTHS).map(([platform, maxLength]) => [
    titleFieldName(platform),
    {
      ...textField(`Title on ${platformName(platform)}`, {
        maxLength,
        hint: 'Without one, the first line of the text is the title.',
      }),
      isOptional: true,
      isNeeded: ({ Platforms }) => Array.isArray(Platforms) && Platforms.includes(platform),
    },
  ]),
)

/** The fields for the text on a single platform, each shown once it has a value. */
const TEXT_FIELDS: Record<string, Field<string>> = Object.fromEntries(
  PLATFORMS.map((platform) => [
    textFieldName(platform),
    {
      ...textField(`Text on ${platformName(platform)}`, { multiline: true, updatesForm: true }),
      isOptional: true,
      isNeeded: () => false,
    },
  ]),
)

export const TEXT_FIELD_NAMES = Object.keys(TEXT_FIELDS)

/** The common part of the forms for a new post and for an existing one. */
export const POST_FORM = {
  fields: {
    Content: expected(optional(textField('Text', { multiline: true, updatesForm: true }))),
    ScheduleDate: {
      ...expected(
        optional(
          dateField('When', 'In your own words: "tomorrow 9am", "friday 17:30 Berlin", "in 3 hours".'),
        ),
      ),
      isRequired: ({ Status }) => firstValue(Status) !== 'DRAFT',
      completion: SLOT_COMPLETION,
    },
    Platforms: platformsField('Platforms'),
    ...TEXT_FIELDS,
    MediaFile: optional(
      fileField('Image or video', {
        hint: `One file of up to ${formatBytes(MAX_FORM_FILE_BYTES)}.`,
        filetypes: FILE_TYPES,
      }),
    ),
    Media: optional(linkField('Link to an image or video', "Public link, if you don't upload a file.")),
    AltText: optional(
      textField('Image description', {
        maxLength: MAX_ALT_TEXT_LENGTH,
        hint: 'Describe the uploaded image for people who use a screen reader.',
      }),
    ),
    ...TITLE_FIELDS,
    Status: selectField('Save as', STATE_CHOICES, { updatesForm: true }),
    TemplateId: advanced(
      optional(
        searchSelectField('Template', searchAmong(listTemplateChoices), {
          belongsToProject: true,
          updatesForm: true,
          prefill: prefillFromTemplate,
        }),
      ),
    ),
    PromptId: advanced(
      optional(searchSelectField('Prompt', searchAmong(listKnownPrompts), { belongsToProject: true })),
    ),
  },
  // Other services don't take these fields.
  hiddenFields: ({ extensions: { current } }: Bot) => [
    ...(current.hasAccounts ? [] : Object.keys(TITLE_FIELDS)),
    ...(current.takesTexts ? [] : TEXT_FIELD_NAMES),
  ],
  offers: { vary: VARY },
  upload: POST_UPLOAD,
  findWarnings: findPostWarnings,
  summarize: (body: PostInput) => `${escapeText(quotePost(body))} · ${platformNames(body)}`,
  fieldNotes: (body: Partial<PostInput>, context: NoteContext) => {
    const checks = checkTexts(body)
    const { Content, Titles = {}, Texts = {} } = body
    const texts = [Content, ...Object.values(Titles), ...Object.values(Texts)].join(' ')
    const counts = Object.fromEntries(
      checks.map(({ field, characterCounts }) => [field, characterCounts.join(' · ')]),
    )
    const notes = [
      counts.Content,
      ...checks.flatMap(({ errors, warnings }) => [...errors.Media, ...warnings]),
      workspaceEmojiNote(texts),
    ]
    return {
      ...counts,
      ...unusedNotes(body, Titles, titleFieldName),
      ...unusedNotes(body, Texts, textFieldName),
      Platforms: explainUnconnected(body, context),
      Content: notes.filter(Boolean).join('\n'),
      MediaFile: (body.Platforms ?? []).map(describeMediaLimits).join('\n'),
    }
  },
  preview: ({ MediaFile, AltText, ...body }: Partial<PostInput>, viewer: Viewer) =>
    previewBlocks({ ...body, file: MediaFile, MediaDescription: AltText }, viewer),
  validate: (body: Partial<PostInput>, { now }: ReadingContext) => {
    const isDraft = body.Status === 'DRAFT'
    const isEmpty = !(body.Content || body.Media || body.MediaFile || body.TemplateId || body.PromptId)
    // A draft may exceed the limits of its platforms for now.
    const checks = isDraft ? [] : checkTexts(body)
    const Media = checks.flatMap(({ errors }) => errors.Media)
    const texts = Object.fromEntries(checks.map(({ field, errors }) => [field, errors.Content.join(' ')]))
    const remainingMs = new Date(body.ScheduleDate ?? now).getTime() - now.getTime()
    const isPast = Boolean(body.ScheduleDate) && remainingMs < 0
    const isTooLateToHold = body.Status === HELD && remainingMs <= HAND_OVER_LEAD_MS
    return {
      ...texts,
      Content: isEmpty ? 'Enter some text, or pick a template, a prompt or media.' : (texts.Content ?? ''),
      MediaFile: body.MediaFile ? fileProblem(body, Media) : '',
      Media: body.MediaFile ? '' : Media.join(' '),
      AltText: describesLink(body)
        ? 'Only files that you upload keep a description. Clear it, or upload the file.'
        : '',
      ScheduleDate: isDraft ? '' : dateProblem(body, isPast),
      Status: isTooLateToHold
        ? `That's less than ${HAND_OVER_MINUTES} minutes away. Pick "Scheduled post", or a later time.`
        : '',
    }
  },
} satisfies Partial<FormDefinition<PostInput, Post, OpenedPost>>

function unusedNotes(
  { Platforms = [] }: Partial<PostInput>,
  texts: PlatformTexts,
  fieldOf: (platform: string) => string,
): Record<string, string> {
  const platforms: string[] = Platforms
  const unused = Object.keys(texts).filter((platform) => !platforms.includes(platform))
  return Object.fromEntries(
    unused.map((platform) => [
      fieldOf(platform),
      `Not used, because the post isn't for ${platformName(platform)}.`,
    ]),
  )
}

/** "Pinterest isn't connected: the post will only be marked as published there." */
function explainUnconnected(
  { Platforms = [], Status }: Partial<PostInput>,
  { bot, project_id }: NoteContext,
): string {
  if (Status === 'DRAFT' || !project_id || !bot.extensions.current.hasAccounts) return ''
  const connected = bot.connectedPlatforms.recall(project_id)
  const unconnected = connected ? Platforms.filter((platform) => !connected.platforms.includes(platform)) : []
  if (!connected || !unconnected.length) return ''
  const names = unconnected.map(platformName)
  const subject =
    names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)} aren't` : `${names[0]} isn't`
  return connected.areRequired
    ? `${subject} connected, and posts need an account. Ask an admin to connect one with \`/upnext accounts\`, or remove the platform.`
    : `${subject} connected: the post will only be marked as published there.`
}

function workspaceEmojiNote(content = ''): string {
  const quoted = findWorkspaceEmoji(content).map((code) => `"${code}"`)
  if (!quoted.length) return ''
  return quoted.length > 1
    ? `${quoted.join(' and ')} are custom emoji of this workspace, so the platforms will show them as plain text.`
    : `${quoted[0]} is a custom emoji of this workspace, so the platforms will show it as plain text.`
}

function fileProblem({ Media, MediaFile }: Partial<PostInput>, errors: string[]): string {
  if (Media) return 'Pick either a file or a link.'
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

async function listTemplateChoices({ bot, project_id, deadlineMs }: SearchContext): Promise<Choice[]> {
  const result = await bot.api.templates.list(project_id, { deadlineMs })
  if (result.kind !== 'ok') return [LOAD_FAILED_CHOICE]
  return result.data.items.flatMap(({ Id, Title }) => (Id ? [{ value: Id, label: Title ?? Id }] : []))
}

async function prefillFromTemplate(search: SearchContext & { id: string }): Promise<Prefill> {
  const { bot, project_id, id, deadlineMs } = search
  const result = await bot.api.templates.get(project_id, id, { deadlineMs })
  if (result.kind !== 'ok') return { failure: result }
  const { Content } = result.data
  return { values: Content ? { Content } : {} }
}

/** The service has no list of prompts, so this offers those created with the bot. */
function listKnownPrompts({ bot, actor, project_id }: SearchContext): Promise<Choice[]> {
  return listKnownRecords(bot.db, { team_id: actor.team_id, project_id, kind: 'prompt' })
}

/** The form's choice for states that people can't choose. */
const FALLBACK_STATES: Record<string, string> = { FAILED: 'SCHEDULED' }

/** A post that waits for approval can't be held instead. Other posts can ask for approval if a project leaves that to authors. */
export async function unavailableStates(
  { bot, actor }: { bot: Bot; actor: Actor },
  { Status }: FormValues,
  others: string[],
): Promise<string[]> {
  if (Status === TO_APPROVE) return [...others, HELD]
  return (await hasOptionalRule(bot.db, actor.team_id)) ? others : [...others, TO_APPROVE]
}

/** The form's values for an existing post. */
export function postFormValues(post: Post): FormValues {
  const { Content, Media, MediaDescription, TemplateId, PromptId, Platforms, Status } = post
  const { Titles = {}, Texts = {} } = post
  return {
    ...Object.fromEntries(
      Object.entries(Titles).map(([platform, title]) => [titleFieldName(platform), title]),
    ),
    ...Object.fromEntries(Object.entries(Texts).map(([platform, text]) => [textFieldName(platform), text])),
    Content,
    Media,
    AltText: MediaDescription,
    TemplateId: TemplateId && { value: TemplateId, label: TemplateId },
    PromptId: PromptId && { value: PromptId, label: PromptId },
    ScheduleDate: scheduleToWords(post),
    Platforms,
    Status: FALLBACK_STATES[Status ?? ''] ?? Status,
  }
}

/** Describes when a post goes out, in the post's time zone and in words that Upnext reads as the same moment. */
export function scheduleToWords(post: Post): string | undefined {
  const at = postTime(post)
  const zone = ownZone(post)
  return at && `${momentToWords(at.toJSDate(), zone)} ${zone}`
}
