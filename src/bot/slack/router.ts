import { distance } from 'fastest-levenshtein'
import type { Feature } from './feature.ts'
import { context, escapeText, type Reply, section, textReply } from './message-blocks.ts'

/** Finds the feature of a slash command and the rest of the text for it, or else a reply to show. */
export function routeCommand(
  features: Feature[],
  command: string,
  text: string,
): { feature: Feature; text: string } | { reply: Reply } {
  const [defaultFeature, ...others] = features
  const shortcut = others.find((candidate) => candidate.command === command)
  if (shortcut) return isHelp(text) ? { reply: helpReply([shortcut]) } : { feature: shortcut, text }
  const [, verb = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? []
  if (!verb && defaultFeature) return { feature: defaultFeature, text: '' }
  if (isHelp(verb)) return { reply: helpReply(features) }
  const feature = features.find((candidate) => candidate.verb === verb.toLowerCase())
  return feature ? { feature, text: rest } : { reply: unknownVerbReply(features, verb) }
}

const isHelp = (text: string): boolean => ['help', '?', '--help'].includes(text.trim().toLowerCase())

function unknownVerbReply(features: Feature[], typed: string): Reply {
  const names = features.flatMap(({ verb, command = '' }) => [
    { name: verb, verb },
    ...(command ? [{ name: command.slice(1), verb }] : []),
  ])
  const nearest = nearestVerbs(typed.toLowerCase().replace(/^\//, ''), [
    ...names,
    { name: 'help', verb: 'help' },
  ])
  const suggestions = nearest.map((verb) => `\`/upnext ${verb}\``).join(' or ')
  const question = suggestions && `Did you mean ${suggestions}? `
  return textReply(
    `\`/upnext ${escapeText(typed.replaceAll('`', ''))}\` doesn't exist. ${question}Type \`/upnext help\` for all commands.`,
  )
}

const MAX_SUGGESTIONS = 2

/** The verbs whose names are within a typing mistake or two. */
function nearestVerbs(typed: string, names: { name: string; verb: string }[]): string[] {
  const verbs = names
    .map(({ name, verb }) => ({ name, verb, edits: name.startsWith(typed) ? 0 : distance(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.max(2, Math.floor(name.length / 3)) && edits < name.length - 1)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ verb }) => verb)
  return [...new Set(verbs)]
}

function helpReply(features: Feature[]): Reply {
  const lines = features.map(({ verb, command, usage = '', help }) => {
    const shortCommand = command && command !== '/upnext' ? ` or \`${command}\`` : ''
    return `\`/upnext ${`${verb} ${usage}`.trim()}\`${shortCommand}\n${help}`
  })
  const footer = '`/upnext` alone shows your next post.'
  const blocks = [section('*What Upnext can do*'), section(lines.join('\n\n')), context(footer)]
  return { text: 'What Upnext can do', blocks }
}
