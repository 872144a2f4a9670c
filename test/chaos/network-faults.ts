import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { NetworkProxy } from '../support/servers.ts'

/** A fault of the network that lasts for some seconds. */
export type NetworkFault = { name: string; begin: () => void; end: () => void }

/** The connections of some programs to one server. */
export type Connections = { name: string; proxy: NetworkProxy }

/** The server is down. */
export const refuse = ({ name, proxy }: Connections): NetworkFault => ({
  name: `${name} refused`,
  begin: proxy.disconnect,
  end: proxy.reconnect,
})

/** What is sent arrives late. */
export const hang = ({ name, proxy }: Connections): NetworkFault => ({
  name: `${name} hung`,
  begin: proxy.hang,
  end: proxy.reconnect,
})

/** What is sent never arrives, and nothing says so. In the end, only new connections work. */
export const stopConnections = ({ name, proxy }: Connections): NetworkFault => ({
  name: `${name} stopped`,
  begin: proxy.hang,
  end: proxy.forgetConnections,
})

const MIN_PAUSE_MS = 300
const MAX_PAUSE_MS = 2000
const MIN_FAULT_MS = 1500
const MAX_FAULT_MS = 5000

export type RunningFaults = {
  counts: Map<string, number>
  /** Resolves when the last fault is over. */
  stop: () => Promise<void>
}

/** Lets one fault follow another, each of them at least once. */
export function startNetworkFaults(faults: NetworkFault[], random: SeededRandom): RunningFaults {
  const counts = new Map<string, number>()
  let isFinished = !faults.length
  let upcoming: NetworkFault[] = []
  const between = (min: number, max: number) => min + random.below(max - min)
  const running = (async () => {
    while (!isFinished || counts.size < new Set(faults.map(({ name }) => name)).size) {
      if (!upcoming.length) upcoming = [...faults]
      const [fault] = upcoming.splice(random.below(upcoming.length), 1)
      if (!fault) return
      await sleep(between(MIN_PAUSE_MS, MAX_PAUSE_MS))
      await runFault(fault, between(MIN_FAULT_MS, MAX_FAULT_MS))
      counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
    }
  })()
  return {
    counts,
    stop() {
      isFinished = true
      return running
    },
  }
}

export async function runFault({ begin, end }: NetworkFault, ms: number): Promise<void> {
  begin()
  await sleep(ms)
  end()
}
