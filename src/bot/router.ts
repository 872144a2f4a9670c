import type { Feature, Request } from './feature.ts'
import { helpReply } from './features/help.ts'
import { escaped, said } from './reply.ts'

/** Leads `/upnext verb words` to the feature of that verb; alone, to the first. */
export async function route(features: Feature[], request: Request): Promise<void> {
  const [, verb = '', words = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(request.words) ?? []
  if (!verb) return features[0]?.run(request)
  if (isHelp(verb)) return request.reply(helpReply(features))
  const feature = features.find((one) => one.verb === verb.toLowerCase())
  if (feature) return feature.run({ ...request, words })
  const names = features.flatMap((one) => [one.verb, ...(one.command ? [one.command.slice(1)] : [])])
  const near = nearest(verb.toLowerCase().replace(/^\//, ''), ['help', ...names]).map(
    (name) => features.find(({ command }) => command === `/${name}`)?.verb ?? name,
  )
  const guess = near.map((one) => `\`/upnext ${one}\``).join(' or ')
  const text = `There is no \`/upnext ${escaped(verb.replaceAll('`', ''))}\`. ${guess ? `Did you mean ${guess}? ` : ''}\`/upnext help\` lists all.`
  return request.reply(said(text))
}

const isHelp = (word: string) => ['help', '?', '--help'].includes(word.trim().toLowerCase())

/** Behind a command of its own, too, there is help. */
export const helpFor = (feature: Feature, { words, reply }: Request): Promise<void> | undefined =>
  isHelp(words) ? reply(helpReply([feature])) : undefined

/** The verbs that a slip of the finger or two leads from. */
function nearest(typed: string, verbs: string[]): string[] {
  const ranked = verbs
    .map((verb) => ({ verb, far: verb.startsWith(typed) ? 0 : distance(typed, verb) }))
    .filter(({ far, verb }) => far <= Math.max(1, Math.floor(verb.length / 3)))
    .sort((one, other) => one.far - other.far)
  return ranked.slice(0, 2).map(({ verb }) => verb)
}

/** How many letters have to be changed, added, left out or swapped. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const change = one[i - 1] === other[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        (row[j - 1] ?? 0) + 1,
        (rows[i - 1]?.[j] ?? 0) + 1,
        (rows[i - 1]?.[j - 1] ?? 0) + change,
        ...(swapped ? [(rows[i - 2]?.[j - 2] ?? 0) + 1] : []),
      )
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}
