import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSeededRandom } from '../support/seeded-random.ts'
import { createBotTarget } from './bot-target.ts'
import { createReadersTarget } from './readers-target.ts'
import { createServiceTarget } from './service-target.ts'
import { type Memory, startProgram } from './start-program.ts'
import type { Input, Result, Target } from './target.ts'

/**
 * Sends hostile input to the readers of dates, to the service and to the bot, each for a third of the time. Checks that
 * nothing crashes, answers 5xx (except a deliberate 503) or takes more than a second, and that the memory stays flat.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: 'string', default: '1' },
    /** For each target, in place of a time. */
    inputs: { type: 'string' },
    target: { type: 'string', multiple: true, default: ['readers', 'service', 'bot'] },
  },
})
const seed = Number(values.seed)
const inputLimit = values.inputs ? Number(values.inputs) : Number.POSITIVE_INFINITY
const durationMs = values.inputs
  ? Number.POSITIVE_INFINITY
  : (Number(values.minutes) * 60_000) / values.target.length
const length = values.inputs ? `--inputs ${values.inputs}` : `--minutes ${values.minutes}`
console.log(
  `npm run fuzz -- --seed ${seed} ${length}${values.target.map((name) => ` --target ${name}`).join('')}`,
)

const MAX_DURATION_MS = 1000
const MEMORY_INTERVAL_MS = 5000
const MAX_HEAP_GROWTH_BYTES = 64 * 1024 ** 2
const MAX_RSS_GROWTH_BYTES = 256 * 1024 ** 2
const MAX_FAILURES = 10

type Summary = {
  inputs: number
  seconds: number
  outcomes: Map<string, number>
  slowest: { ms: number; description: string }
  memory: Memory[]
}

/** What the target needs of the program that it runs in. */
type Host = {
  measureMemory: () => Promise<Memory>
  hasCrashed: () => Promise<boolean>
  restart: () => Promise<string>
  lastErrors: () => string
}

const failures: string[] = []

function reportFailure(target: Target, problem: string, inputs: Input[]): void {
  failures.push(problem)
  console.log(`\nFAILED ${target.name}, seed ${seed}: ${problem}`)
  for (const { description } of inputs) console.log(`  ${description}`)
}

async function runTarget(target: Target, host: Host): Promise<void> {
  const summary: Summary = {
    inputs: 0,
    seconds: 0,
    outcomes: new Map(),
    slowest: { ms: 0, description: '' },
    memory: [],
  }
  const startedAt = performance.now()
  const failuresBefore = failures.length
  const isFinished = () =>
    summary.inputs >= inputLimit ||
    performance.now() - startedAt > durationMs ||
    failures.length - failuresBefore >= MAX_FAILURES
  const slowInputs: Input[] = []
  let measuredAt = startedAt
  while (!isFinished()) {
    // A batch ends before the memory is measured, and before a crashed program starts again.
    const isBatchFinished = () => isFinished() || performance.now() - measuredAt > MEMORY_INTERVAL_MS
    const lost = new Set<Input>()
    const work = async () => {
      while (!isBatchFinished() && !lost.size) {
        const input = target.createInput()
        summary.inputs++
        const { outcome, isFault, mayBeSlow, ms } = await runInput(input)
        summary.outcomes.set(outcome, (summary.outcomes.get(outcome) ?? 0) + 1)
        if (outcome === LOST) lost.add(input)
        else if (isFault) reportFailure(target, `${outcome}, last errors: ${host.lastErrors()}`, [input])
        if (mayBeSlow) continue
        if (ms > summary.slowest.ms) summary.slowest = { ms, description: input.description }
        if (ms > MAX_DURATION_MS && outcome !== LOST) slowInputs.push(input)
      }
    }
    await Promise.all(Array.from({ length: target.concurrency }, work))
    if (lost.size) await findCrash(target, host, [...lost])
    summary.memory.push(await host.measureMemory())
    measuredAt = performance.now()
  }
  summary.seconds = (performance.now() - startedAt) / 1000
  await confirmSlowInputs(target, slowInputs)
  checkMemory(target, summary.memory)
  printSummary(target, summary)
}

const LOST = 'no response'

async function runInput(input: Input): Promise<Result & { ms: number }> {
  const startedAt = performance.now()
  const result = await input.run().catch((error): Result => {
    const isLost = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code)
    return { outcome: isLost ? LOST : String(error), isFault: !isLost }
  })
  return { ...result, ms: performance.now() - startedAt }
}

/** Repeats the inputs that got no response, and halves them until one is left. Some only end their own connection. */
async function findCrash(target: Target, { hasCrashed, restart }: Host, inputs: Input[]): Promise<void> {
  if (!(await hasCrashed())) return
  let errors = await restart()
  const crashesAgain = async (repeated: Input[]) => {
    await Promise.all(repeated.map(runInput))
    if (!(await hasCrashed())) return false
    errors = await restart()
    return true
  }
  let suspects = inputs
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2))
    suspects = (await crashesAgain(half)) ? half : suspects.slice(half.length)
  }
  if (await crashesAgain(suspects)) reportFailure(target, `the program ended: ${errors}`, suspects)
  else reportFailure(target, `the program ended after one of these: ${errors}`, inputs)
}

/** The machine may have been busy, so an input counts as slow only if it is slow alone, and again. */
async function confirmSlowInputs(target: Target, inputs: Input[]): Promise<void> {
  for (const input of inputs.slice(0, MAX_FAILURES)) {
    const durations = [(await runInput(input)).ms, (await runInput(input)).ms]
    const ms = Math.min(...durations)
    if (ms > MAX_DURATION_MS) reportFailure(target, `took ${ms.toFixed(0)} ms`, [input])
  }
}

/** The first measurements include caches that are still being filled. */
function checkMemory(target: Target, memory: Memory[]): void {
  const first = memory[Math.floor(memory.length / 4)]
  const last = memory.at(-1)
  if (!first || !last) return
  const isFlat =
    last.heapUsed - first.heapUsed < MAX_HEAP_GROWTH_BYTES && last.rss - first.rss < MAX_RSS_GROWTH_BYTES
  if (!isFlat) reportFailure(target, `memory grew from ${formatMemory(first)} to ${formatMemory(last)}`, [])
}

const formatMemory = ({ heapUsed, rss }: Memory) =>
  `${(heapUsed / 1e6).toFixed(0)} MB heap, ${(rss / 1e6).toFixed(0)} MB RSS`

function printSummary({ name }: Target, { inputs, seconds, outcomes, slowest, memory }: Summary): void {
  const [first, last] = [memory[0], memory.at(-1)]
  const rate = Math.round(inputs / seconds)
  const counts = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome} ${count}`)
  console.log(
    `\n${name}: ${inputs} inputs in ${seconds.toFixed(0)} s (${rate} a second): ${counts.join(', ')}`,
  )
  console.log(`  slowest: ${slowest.ms.toFixed(0)} ms, ${slowest.description.slice(0, 200)}`)
  if (first && last) console.log(`  memory: first ${formatMemory(first)}; last ${formatMemory(last)}`)
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const ownProcess: Host = {
  async measureMemory() {
    collectGarbage()
    return process.memoryUsage()
  },
  hasCrashed: async () => false,
  restart: async () => '',
  lastErrors: () => '',
}

if (values.target.includes('readers'))
  await runTarget(createReadersTarget(createSeededRandom(seed)), ownProcess)
if (values.target.some((name) => name !== 'readers')) {
  const program = await startProgram()
  if (values.target.includes('service'))
    await runTarget(await createServiceTarget(program, createSeededRandom(seed + 1)), program)
  if (values.target.includes('bot'))
    await runTarget(await createBotTarget(program, createSeededRandom(seed + 2)), program)
  await program.stop()
}
console.log(`\n${failures.length ? `${failures.length} failures, seed ${seed}` : 'No failures'}`)
process.exit(failures.length ? 1 : 0)
