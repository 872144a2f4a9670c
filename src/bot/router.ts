import { distance } from 'fastest-levenshtein'
import type { Feature } from './feature.ts'
import { context, escapeText, type Reply, section, textReply } from './message-blocks.ts'

/** What a slash command leads to: a feature with the rest of the text, or an answer. */
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
  const verbByName = new Map(
    features.flatMap(({ verb, command }) => [
      [verb, verb],
      ...(command ? [[command.slice(1), verb] as const] : []),
    ]),
  ).set('help', 'help')
  const names = nearest(typed.toLowerCase().replace(/^\//, ''), [...verbByName.keys()])
  const verbs = new Set(names.map((name) => verbByName.get(name)))
  const suggestions = [...verbs].map((verb) => `\`/upnext ${verb}\``).join(' or ')
  const question = suggestions && `Did you mean ${suggestions}? `
  return textReply(
    `\`/upnext ${escapeText(typed.replaceAll('`', ''))}\` doesn't exist. ${question}Type \`/upnext help\` for all commands.`,
  )
}

const MAX_SUGGESTIONS = 2

/** The names within a typing mistake or two. */
function nearest(typed: string, names: string[]): string[] {
  return names
    .map((name) => ({ name, edits: name.startsWith(typed) ? 0 : distance(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.max(2, Math.floor(name.length / 3)) && edits < name.length - 1)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name)
}

function helpReply(features: Feature[]): Reply {
  const lines = features.map(({ verb, command, usage, help }) => {
    const shortCommand = command && command !== '/upnext' ? ` or \`${command}\`` : ''
    return `\`/upnext ${`${verb} ${usage}`.trim()}\`${shortCommand}\n${help}`
  })
  return {
    text: 'What Upnext can do',
    blocks: [
      section('*What Upnext can do*'),
      section(lines.join('\n\n')),
      context(
        "`/upnext` alone shows your next post. Scheduled posts can't be edited or cancelled: this service doesn't support it.",
      ),
    ],
  }
}
