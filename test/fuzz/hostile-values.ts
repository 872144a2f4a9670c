import { FRAGMENTS } from '../support/repeated-fragments.ts'
import type { SeededRandom } from '../support/seeded-random.ts'

const STRINGS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e309',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '..',
    '../..',
    '%2e%2e',
    '%',
    '%00',
    '\0',
  ],
  ...[
    '\ud83d',
    '\udc00',
    '\u202e',
    '\ufeff',
    '\r\nx: y',
    '<script>',
    '<@U1>',
    '<!channel>',
    "' or 1=1 --",
    '%s',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '00000000-0000-4000-8000-000000000000'],
  ...[
    '2026-12-24T09:00:00+01:00',
    '2026-13-45T99:99:99Z',
    '+275760-09-13T00:00:00Z',
    '0000-00-00',
    'Europe/Berlin',
  ],
  ...['Etc/Unknown', 'X', 'LINKEDIN', 'SCHEDULED', 'ADMIN', 'ada@upnext.example', 'https://a.example/a.png'],
  ...['javascript:alert(1)', 'http://[::1]:0/', 'file:///etc/passwd'],
]

const NUMBERS = [0, -0, -1, 1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308]

const MAX_REPEATS = 20_000
const MAX_DEPTH = 20_000
const MAX_ITEMS = 150_000

/** Text that is usually short, and sometimes huge. */
export function hostileString(random: SeededRandom): string {
  const { below, oneOf } = random
  const pick = () => oneOf(below(2) ? STRINGS : FRAGMENTS)
  if (!below(100)) return pick().repeat(below(MAX_REPEATS))
  if (below(3)) return pick()
  return Array.from({ length: below(12) }, pick).join(oneOf(['', ' ']))
}

/** JSON as text, because some of it can't be the result of `JSON.stringify`. */
export function hostileJson(random: SeededRandom, depth = 3): string {
  const { below, oneOf } = random
  if (!below(50)) return nest(below(MAX_DEPTH), oneOf(['[', '{"a":']))
  if (!below(50)) return hostileArray(random)
  const kind = below(depth > 0 ? 7 : 5)
  if (kind === 0) return oneOf(['null', 'true', 'false', '1e999', '01', 'NaN', '"\\ud800"'])
  if (kind === 1) return JSON.stringify(oneOf(NUMBERS))
  if (kind < 5) return JSON.stringify(hostileString(random))
  const values = Array.from({ length: below(5) }, () => hostileJson(random, depth - 1))
  if (kind === 5) return `[${values.join()}]`
  return `{${values.map((value) => `${JSON.stringify(hostileString(random))}:${value}`).join()}}`
}

const nest = (depth: number, open: string) =>
  open.repeat(depth) + (open === '[' ? '' : 'null') + (open === '[' ? ']' : '}').repeat(depth)

/** An array that is often very long. */
export const hostileArray = ({ below, oneOf }: SeededRandom): string =>
  `[${Array(below(MAX_ITEMS))
    .fill(oneOf(['0', 'null', '""', '{}']))
    .join()}]`

/** Changes a few of the values inside a JSON value: replaces, removes, duplicates or moves them. */
export function mutateJson(value: unknown, random: SeededRandom): string {
  const { below, oneOf } = random
  const places = findPlaces(value)
  const changes = new Map<string, string>()
  for (let count = 1 + below(3); places.length && count > 0; count--)
    changes.set(oneOf(places), below(5) ? hostileJson(random) : '')
  const write = (part: unknown, path: string): string => {
    const change = changes.get(path)
    if (change !== undefined) return change
    if (typeof part !== 'object' || part === null) return JSON.stringify(part)
    if (Array.isArray(part))
      return `[${part
        .map((item, index) => write(item, `${path}/${index}`))
        .filter(Boolean)
        .join()}]`
    const entries = Object.entries(part).flatMap(([key, item]) => {
      const text = write(item, `${path}/${key}`)
      return text ? [`${JSON.stringify(key)}:${text}`] : []
    })
    return `{${entries.join()}}`
  }
  return write(value, '')
}

function findPlaces(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => findPlaces(item, `${path}/${key}`))]
}

/** Bytes of a text, some of them changed, so that they are often no valid UTF-8. */
export function breakBytes(text: string, { below }: SeededRandom): Buffer {
  const bytes = Buffer.from(text)
  for (let count = below(4); bytes.length && count > 0; count--) bytes[below(bytes.length)] = below(256)
  return below(4) ? bytes : bytes.subarray(0, below(bytes.length + 1))
}
