import { Agent, request } from 'node:http'

export type Load = { perSecond: number; p50: number; p99: number }

export type Shot = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  expect: number
}

const AT_ONCE = 8

/** Keeps some connections busy with the same request for a while; milliseconds. */
export async function load(shot: Shot, seconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  await fire(shot, agent, 0.5) // connections and caches warm up
  const started = performance.now()
  const times = await fire(shot, agent, seconds)
  const took = (performance.now() - started) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return { perSecond: times.length / took, p50: at(0.5), p99: at(0.99) }
}

async function fire(shot: Shot, agent: Agent, seconds: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const shooter = async () => {
    while (performance.now() < end) {
      const started = performance.now()
      await once(shot, agent)
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, shooter))
  return times
}

function once({ method, url, headers, body, expect }: Shot, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === expect
          ? resolve()
          : reject(new Error(`${method} ${url} answered ${response.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
