import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { clockAhead } from '../support/clock-ahead.ts'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { startProxy } from '../support/servers.ts'
import type { Connections } from './network-faults.ts'

const RESTART_PAUSE_MS = 300
/** An instance that takes longer to start is stuck. Until then it is not killed again, because a busy machine is slow. */
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

export type Instances = Awaited<ReturnType<typeof startInstances>>

type InstanceOptions = {
  count: number
  env: Record<string, string>
  databaseUrl: string
  serviceUrl: string
  /** By how many seconds the clock of the last instance's machine is wrong. */
  skew: number
}

/**
 * Runs instances of the bot, and starts each of them again when it ends, as a supervisor does. Each has its own proxies to
 * the database and the service.
 */
export async function startInstances({ count, env, databaseUrl, serviceUrl, skew }: InstanceOptions) {
  const connections: Connections[] = []
  const envs: Record<string, string>[] = []
  for (let index = 0; index < count; index++) {
    const [database, service] = [await startProxy(databaseUrl), await startProxy(serviceUrl)]
    connections.push({ name: 'database', proxy: database }, { name: 'service', proxy: service })
    const clock = index === count - 1 && clockAhead(skew * 1000)
    envs.push({ ...env, DATABASE_URL: database.url, API_BASE_URL: service.url, ...clock })
  }
  const programs: RunningProgram[] = []
  const killed = new Set<RunningProgram>()
  const crashes: string[] = []
  let isStopping = false

  function start(index: number): void {
    const program = runProgram('dist/main.js', [], envs[index])
    programs[index] = program
    void program.exitCode.then(async (code) => {
      if (isStopping) return
      // During an outage, an instance may not be able to start.
      if (!killed.has(program) && program.output().includes('\nready'))
        crashes.push(`Instance ${index} ended with ${code}: ${program.errors().slice(-1000)}`)
      await sleep(RESTART_PAUSE_MS)
      if (!isStopping) start(index)
    })
  }

  for (const index of envs.keys()) start(index)
  await Promise.all(programs.map((program) => program.waitForLine('ready')))
  return {
    count,
    connections,
    /** Why instances ended that nobody killed. */
    crashes,
    killCount: () => killed.size,
    /** The end of what each instance printed. */
    output: () => programs.map((program) => `${program.output()}\n${program.errors()}`.slice(-3000)),
    /** Waits until the instance has started again, unless an outage keeps it from that. */
    async kill(index: number): Promise<void> {
      const program = programs[index]
      if (!program) return
      killed.add(program)
      await program.stop('SIGKILL')
      while (programs[index] === program) await sleep(20)
      const ready = programs[index]?.waitForLine('ready').catch(() => {})
      await Promise.race([ready, sleep(START_TIMEOUT_MS)])
    },
    async stop(): Promise<void> {
      isStopping = true
      for (const { process: child } of programs) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGTERM')
        await Promise.race([once(child, 'exit'), sleep(STOP_TIMEOUT_MS)])
        child.kill('SIGKILL')
      }
      await Promise.all(connections.map(({ proxy }) => proxy.close()))
    },
  }
}

type KillingOptions = { random: SeededRandom; minPauseMs: number; maxPauseMs: number }

/** Kills one instance after the other. The returned function ends that. */
export function startKilling(
  instances: Instances,
  { random, minPauseMs, maxPauseMs }: KillingOptions,
): () => Promise<void> {
  let isFinished = false
  const killing = (async () => {
    // A short run has at least one kill, too.
    while (!isFinished || !instances.killCount()) {
      await sleep(minPauseMs + random.below(maxPauseMs - minPauseMs))
      if (isFinished && instances.killCount()) return
      await instances.kill(random.below(instances.count))
    }
  })()
  return () => {
    isFinished = true
    return killing
  }
}
