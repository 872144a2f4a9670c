import { Agent, request } from 'node:http'

export type Load = { perSecond: number; p50: number; p99: number }

export type MeasuredRequest = {
  method: string
  /** Called for each request if requests differ. */
  url: string | (() => string)
  headers: Record<string, string>
  body?: string
  expectedStatus: number
}

const CONNECTIONS = 8
const WARM_UP_SECONDS = 0.5

/** Sends the request over several connections simultaneously for a while. Times are in milliseconds. */
export async function measureLoad(measured: MeasuredRequest, seconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  await sendRepeatedly(measured, agent, WARM_UP_SECONDS)
  const startedAt = performance.now()
  const times = await sendRepeatedly(measured, agent, seconds)
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const percentile = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return { perSecond: times.length / elapsedSeconds, p50: percentile(0.5), p99: percentile(0.99) }
}

async function sendRepeatedly(measured: MeasuredRequest, agent: Agent, seconds: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const useConnection = async () => {
    while (performance.now() < end) {
      const startedAt = performance.now()
      await send(measured, agent)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, useConnection))
  return times
}

function send(measured: MeasuredRequest, agent: Agent): Promise<void> {
  const { method, headers, body, expectedStatus } = measured
  const url = typeof measured.url === 'string' ? measured.url : measured.url()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === expectedStatus
          ? resolve()
          : reject(new Error(`${method} ${url} responded with ${response.statusCode}.`)),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
