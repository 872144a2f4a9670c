import { distance } from 'fastest-levenshtein'
import { type Feature, listFeatures, type Module } from './feature.ts'
import { buttonRow, context, escapeText, type Reply, section, textReply, truncate } from './message-blocks.ts'

/** The prefix of action ids of buttons that run a command. The button's value is the text after the command's verb. */
export const COMMAND_PREFIX = 'command:'

/** Finds the feature of a slash command and the text after its verb, or else a reply to show. */
export function routeCommand(
  modules: Module[],
  command: string,
  text: string,
): { feature: Feature; text: string } | { reply: Reply } {
  const features = listFeatures(modules)
  const [defaultFeature, ...others] = features
  const commandFeature = others.find((candidate) => candidate.command === command)
  if (commandFeature)
    return isHelp(text)
      ? { reply: helpReply([{ features: [commandFeature] }]) }
      : { feature: commandFeature, text }
  const [, verb = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? []
  if (!verb && defaultFeature) return { feature: defaultFeature, text: '' }
  if (isHelp(verb)) return { reply: helpReply(modules) }
  const typed = verb.toLowerCase()
  const feature = features.find((candidate) => candidate.verb === typed || candidate.synonym === typed)
  return feature ? { feature, text: rest } : { reply: unknownVerbReply(features, verb, rest) }
}

const isHelp = (text: string): boolean => ['help', '?', '--help'].includes(text.trim().toLowerCase())

/** Slack's limit for the value of a button. */
const MAX_VALUE_LENGTH = 2000

function unknownVerbReply(features: Feature[], typed: string, rest: string): Reply {
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
  const buttons = nearest
    .filter((verb) => verb !== 'help' && rest.length <= MAX_VALUE_LENGTH)
    .map((verb) => ({
      action_id: COMMAND_PREFIX + verb,
      label: truncate(`/upnext ${verb} ${rest}`.trim(), MAX_SHOWN_LENGTH),
      value: rest || undefined,
    }))
  return textReply(
    `\`/upnext ${escapeText(truncate(typed.replaceAll('`', ''), MAX_SHOWN_LENGTH))}\` doesn't exist. ${question}Type \`/upnext help\` to see all commands.`,
    ...buttonRow(...buttons),
  )
}

const MAX_SHOWN_LENGTH = 60
const MAX_SUGGESTIONS = 2

/** The verbs whose names are a typo or two away from the typed word, or contain it as a part. */
function nearestVerbs(typed: string, names: { name: string; verb: string }[]): string[] {
  const verbs = names
    .map(({ name, verb }) => ({ name, verb, edits: isPartOf(typed, name) ? 0 : distance(typed, name) }))
    .filter(({ name, edits }) => edits <= Math.max(2, Math.floor(name.length / 3)) && edits < name.length - 1)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ verb }) => verb)
  return [...new Set(verbs)]
}

const isPartOf = (typed: string, name: string): boolean =>
  name.startsWith(typed) || (typed.length > 2 && name.split('-').includes(typed))

function helpReply(modules: Pick<Module, 'heading' | 'features'>[]): Reply {
  const blocks = modules.flatMap(({ heading, features = [] }) => [
    ...(heading ? [section(`*${heading}*`)] : []),
    ...(features.length ? [section(features.map(helpLine).join('\n'))] : []),
  ])
  const footer = '`/upnext` on its own shows your next post.'
  return { text: 'What Upnext can do', blocks: [section('*What Upnext can do*'), ...blocks, context(footer)] }
}

function helpLine({ verb, command, usage = '', help }: Feature): string {
  const shortCommand = command && command !== '/upnext' ? ` or \`${command}\`` : ''
  return `\`/upnext ${`${verb} ${usage}`.trim()}\`${shortCommand}\n${help}`
}
