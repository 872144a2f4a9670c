import type { Post } from '../../../../api/records.ts'
import { postTime, postZone } from '../../../../api/timestamps.ts'
import { formatBytes } from '../../../../platforms/platform-media.ts'
import { PLATFORMS, platformName } from '../../../../platforms/platform-names.ts'
import { MAX_TITLE_LENGTHS } from '../../../../platforms/title-lengths.ts'
import { postTimeToWords } from '../../../../time/describe.ts'
import { advanced, expected, type Field, optional, type Prefill } from '../../../forms/field.ts'
import {
  dateField,
  fileField,
  firstValue,
  LOAD_FAILED_CHOICE,
  linkField,
  platformsField,
  searchAmong,
  searchSelectField,
  selectField,
  textField,
} from '../../../forms/fields.ts'
import type { FormDefinition, Offer } from '../../../forms/form.ts'
import type { FormValues } from '../../../forms/form-value.ts'
import type { Actor } from '../../../slack/actor.ts'
import type { Bot } from '../../../slack/bot.ts'
import type { SearchContext } from '../../../slack/feature.ts'
import { type Choice, escapeText, type Viewer } from '../../../slack/message-blocks.ts'
import { hasOptionalRule, TO_APPROVE } from '../../approvals/approval-store.ts'
import { MAX_FORM_FILE_BYTES } from '../../media/upload-limits.ts'
import { listKnownRecords } from '../../projects/projects-store.ts'
import { platformNames, quotePost } from '../display/post-blocks.ts'
import type { OpenedPost } from '../display/post-reference.ts'
import { HELD, STATE_CHOICES } from '../display/post-states.ts'
import { previewBlocks } from '../display/preview.ts'
import { toPost } from '../find/project-posts.ts'
import { SLOT_COMPLETION } from '../slots/free-slots.ts'
import { FILE_TYPES, POST_UPLOAD, type PostInput, textFieldName, titleFieldName } from './post-input.ts'
import { postNotes } from './post-notes.ts'
import { findPostProblems } from './post-problems.ts'
import { findPostWarnings } from './post-warnings.ts'

const MAX_ALT_TEXT_LENGTH = 1000

/** Gives each platform its own text field, which at first contains the common text. */
const VARY_BY_PLATFORM: Offer = {
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

/** The fields for titles, each shown when its platform is selected. */
const TITLE_FIELDS: Record<string, Field<string>> = Object.fromEntries(
  Object.entries(MAX_TITLE_LENGTHS).map(([platform, maxLength]) => [
    titleFieldName(platform),
    {
      ...textField(`Title on ${platformName(platform)}`, {
        maxLength,
        hint: 'If this is empty, the first line of the text is the title.',
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
  // Not every service takes these fields.
  hiddenFields: ({ extensions: { current } }: Bot) => [
    ...(current.hasAccounts ? [] : Object.keys(TITLE_FIELDS)),
    ...(current.supportsPlatformText ? [] : TEXT_FIELD_NAMES),
  ],
  offer: VARY_BY_PLATFORM,
  upload: POST_UPLOAD,
  findWarnings: findPostWarnings,
  summarize: (body: PostInput) => `${escapeText(quotePost(body))} · ${platformNames(body)}`,
  fieldNotes: postNotes,
  fixedValues: (body: PostInput): FormValues => {
    const words = scheduleToWords(toPost({ id: '', body }))
    return words ? { ScheduleDate: words } : {}
  },
  preview: ({ MediaFile, AltText, ...body }: Partial<PostInput>, viewer: Viewer) =>
    previewBlocks({ ...body, file: MediaFile, MediaDescription: AltText }, viewer),
  validate: findPostProblems,
} satisfies Partial<FormDefinition<PostInput, Post, OpenedPost | undefined>>

async function listTemplateChoices({ bot, project_id, deadline }: SearchContext): Promise<Choice[]> {
  const result = await bot.api.templates.list(project_id, { deadline })
  if (result.kind !== 'ok') return [LOAD_FAILED_CHOICE]
  return result.data.items.flatMap(({ Id, Title }) => (Id ? [{ value: Id, label: Title ?? Id }] : []))
}

async function prefillFromTemplate(search: SearchContext & { id: string }): Promise<Prefill> {
  const { bot, project_id, id, deadline } = search
  const result = await bot.api.templates.get(project_id, id, { deadline })
  if (result.kind !== 'ok') return { failure: result }
  return { values: { Content: result.data.Content } }
}

/** The service can't list prompts, so the form offers those that were created with Upnext. */
function listKnownPrompts({ bot, actor, project_id }: SearchContext): Promise<Choice[]> {
  return listKnownRecords(bot.db, { team_id: actor.team_id, project_id, kind: 'prompt' })
}

/** A post waiting for approval can't be held instead. Others can ask for approval if it's optional in any project. */
export async function unavailableStates(
  { bot, actor }: { bot: Bot; actor: Actor },
  { Status }: FormValues,
  others: string[],
): Promise<string[]> {
  if (Status === TO_APPROVE) return [...others, HELD]
  return (await hasOptionalRule(bot.db, actor.team_id)) ? others : [...others, TO_APPROVE]
}

/** The form's values for an existing post. */
export function toFormValues(post: Post): FormValues {
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
    // A failed post is scheduled again.
    Status: Status === 'FAILED' ? 'SCHEDULED' : Status,
  }
}

/** Describes when a post goes out, in the post's time zone and in words that Upnext reads as the same moment. */
export function scheduleToWords(post: Post): string | undefined {
  const at = postTime(post)
  return at && postTimeToWords(at.toJSDate(), postZone(post))
}
