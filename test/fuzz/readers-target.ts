import { createContext, Script } from 'node:vm'
import { extractPlatforms } from '../../src/platforms/platform-names.ts'
import { readPostCommand } from '../../src/post-command/read-post-command.ts'
import { readDateRange } from '../../src/time/date-range.ts'
import { readNewTime } from '../../src/time/read-new-time.ts'
import { readWhen } from '../../src/time/read-when.ts'
import { readZones, searchZones } from '../../src/time/read-zones.ts'
import { readRecurrence } from '../../src/time/recurrence.ts'
import { createRepetition, repeatUpTo } from '../support/repeated-fragments.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { hostileString } from './hostile-values.ts'
import type { Target } from './target.ts'

const CONTEXT = { now: new Date('2026-11-20T11:00:00Z'), zone: 'Europe/Berlin' }
const POST = { at: new Date('2026-11-27T17:00:00Z'), zone: 'America/New_York' }

const READERS: [name: string, read: (text: string) => unknown, maxLength: number][] = [
  ['readWhen', (text) => readWhen(text, CONTEXT), 300],
  ['readNewTime', (text) => readNewTime(text, { ...CONTEXT, post: POST }), 300],
  ['readPostCommand', (text) => readPostCommand(text, CONTEXT), 4000],
  ['readRecurrence', (text) => readRecurrence(text, CONTEXT), 300],
  ['readDateRange', (text) => readDateRange(text, CONTEXT, 'future'), 300],
  ['readZones', readZones, 300],
  ['searchZones', searchZones, 300],
  ['extractPlatforms', extractPlatforms, 40_000],
]

/** Ends even an exponential reading. */
const TIMEOUT_MS = 10_000
const script = new Script('read()')

/** All readers of text that users type. */
export function createReadersTarget(random: SeededRandom): Target {
  const { below, oneOf } = random
  const sandbox = createContext({ read: () => {} })
  return {
    name: 'readers',
    concurrency: 1,
    createInput() {
      const [name, read, maxLength] = oneOf(READERS)
      const length = below(20) ? 1 + below(100) : 1 + below(maxLength)
      const text = below(3) ? repeatUpTo(length, createRepetition(below(400), random)) : hostileString(random)
      return {
        description: `${name}(${JSON.stringify(text)})`,
        async run() {
          sandbox.read = () => read(text)
          script.runInContext(sandbox, { timeout: TIMEOUT_MS })
          return { outcome: 'read' }
        },
      }
    },
  }
}
