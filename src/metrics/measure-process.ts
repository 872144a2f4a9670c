import { monitorEventLoopDelay } from 'node:perf_hooks'
import type pg from 'pg'
import type { Metrics } from './metrics.ts'

const NANOSECONDS_PER_SECOND = 1e9

/** Measures the process and its connections to the database. Returns a function that stops measuring the event loop. */
export function measureProcess({ gauge, collectors }: Metrics, pool: pg.Pool): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const addGauge = (name: string, help: string, value: () => number) => {
    const measured = gauge(name, help, [])
    collectors.push(() => measured.set(value()))
  }
  const addDelay = (name: string, help: string, nanoseconds: () => number) =>
    addGauge(`nodejs_eventloop_delay_${name}_seconds`, help, () => nanoseconds() / NANOSECONDS_PER_SECOND)
  addDelay('p50', 'Median event loop delay.', () => delay.percentile(50))
  addDelay('p99', '99th percentile of the event loop delay.', () => delay.percentile(99))
  addDelay('max', 'Longest event loop delay since the last scrape.', () => {
    const longest = delay.max
    delay.reset()
    return longest
  })
  addGauge('process_memory_usage_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  addGauge('v8js_memory_heap_used_bytes', 'Used heap memory.', () => process.memoryUsage().heapUsed)
  addGauge('process_uptime_seconds', 'Time since the process started.', () => process.uptime())
  addGauge(
    'db_client_connection_max',
    'Maximum number of connections to the database.',
    () => pool.options.max ?? 10,
  )
  addGauge(
    'db_client_connection_pending_requests',
    'Queries waiting for a connection.',
    () => pool.waitingCount,
  )
  const connections = gauge('db_client_connection_count', 'Open connections to the database.', ['state'])
  collectors.push(() => {
    connections.set({ state: 'idle' }, pool.idleCount)
    connections.set({ state: 'used' }, pool.totalCount - pool.idleCount)
  })
  return () => delay.disable()
}
