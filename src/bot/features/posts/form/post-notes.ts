import type { PlatformTexts } from '../../../../api/field-readers.ts'
import { describeMediaLimits } from '../../../../platforms/platform-media.ts'
import { platformName } from '../../../../platforms/platform-names.ts'
import { listWords } from '../../../../time/describe.ts'
import type { NoteContext } from '../../../forms/form.ts'
import { findWorkspaceEmoji } from '../../../slack/emoji-names.ts'
import { checkTexts, type PostInput, textFieldName, titleFieldName } from './post-input.ts'

/** The notes under the form's fields while the post is entered. */
export function postNotes(body: Partial<PostInput>, context: NoteContext): Record<string, string> {
  const checks = checkTexts(body)
  const { Content, Titles = {}, Texts = {} } = body
  const texts = [Content, ...Object.values(Titles), ...Object.values(Texts)].join(' ')
  const counts = Object.fromEntries(
    checks.map(({ field, characterCounts }) => [field, characterCounts.join(' · ')]),
  )
  const isContentUnused = Content && !checks.some(({ field }) => field === 'Content')
  const notes = [
    isContentUnused ? 'Not used, because each platform has its own text.' : counts.Content,
    ...checks.flatMap(({ errors, warnings }) => [...errors.Media, ...warnings]),
    workspaceEmojiNote(texts),
  ]
  return {
    ...counts,
    ...unusedNotes(body, Titles, titleFieldName),
    ...unusedNotes(body, Texts, textFieldName),
    Platforms: explainUnconnectedPlatforms(body, context),
    Content: notes.filter(Boolean).join('\n'),
    MediaFile: (body.Platforms ?? []).map(describeMediaLimits).join('\n'),
  }
}

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
      `Not used, because ${platformName(platform)} isn't selected.`,
    ]),
  )
}

/** "Pinterest isn't connected: posts will only be marked as published there." */
export function explainUnconnectedPlatforms(
  { Platforms = [], Status }: Partial<PostInput>,
  { bot, project_id }: Pick<NoteContext, 'bot' | 'project_id'>,
): string {
  if (Status === 'DRAFT' || !project_id || !bot.extensions.current.hasAccounts) return ''
  const connected = bot.connectedPlatforms.recall(project_id)
  const unconnected = connected ? Platforms.filter((platform) => !connected.platforms.includes(platform)) : []
  if (!connected || !unconnected.length) return ''
  const subject = `${listWords(unconnected.map(platformName))} ${unconnected.length > 1 ? "aren't" : "isn't"}`
  return connected.areRequired
    ? `${subject} connected, and posts need an account. Ask an admin to connect one with \`/upnext accounts\`, or remove the platform.`
    : `${subject} connected: posts will only be marked as published there.`
}

function workspaceEmojiNote(content = ''): string {
  const quoted = findWorkspaceEmoji(content).map((code) => `"${code}"`)
  if (!quoted.length) return ''
  return quoted.length > 1
    ? `${listWords(quoted)} are custom emoji of this workspace, so the platforms will show them as plain text.`
    : `${quoted[0]} is a custom emoji of this workspace, so the platforms will show it as plain text.`
}
