import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { createTempFolder } from './temp-folder.ts'

/** Prometheus' tool for rules. */
export const promtoolPath: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'promtool'))
  .find((path) => existsSync(path))

export const WITHOUT_PROMTOOL =
  'The tests of the alerts are skipped because promtool is missing. Install it (apt-get install prometheus) and run the tests again.'

const RULES = 'docs/alerts.yml'

/** What an instance answers to Prometheus, by series. */
export type Scrape = Map<string, string>

export const readSeries = (text: string): Scrape =>
  new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => {
        const [, series = '', value = ''] = /^(.+) (\S+)$/.exec(line) ?? []
        return [series, value]
      }),
  )

/** Prometheus adds these labels to each series. */
const withTarget = (series: string): string => {
  const target = 'job="upnext",instance="bot-1"'
  return series.endsWith('}') ? `${series.slice(0, -1)},${target}}` : `${series}{${target}}`
}

/** What an instance answered for so many minutes. Undefined stands for no answer. */
export type Recorded = { scrape: Scrape | undefined; minutes: number }

/** Asks which alerts fired at any time in the minutes before `at`. */
type Question = { at: number; minutes: number }

const CALM_MINUTES = 70
const MINUTES = 12

/**
 * Returns the alerts that fire after an instance has answered like the first scrape for more than an hour, then like the
 * others, and like the last one for 12 minutes.
 */
export async function findAlerts(...scrapes: (Scrape | undefined)[]): Promise<string[]> {
  const lastsFor = (index: number) =>
    index === 0 ? CALM_MINUTES : index === scrapes.length - 1 ? MINUTES : 1
  const recorded = scrapes.map((scrape, index) => ({ scrape, minutes: lastsFor(index) }))
  const at = CALM_MINUTES + MINUTES + scrapes.length - 4
  return (await evaluateAlerts(recorded, [{ at, minutes: 20 }])).get(at) ?? []
}

/** Returns the names of the alerts that fired, by the `at` of the questions. */
export async function evaluateAlerts(
  recorded: Recorded[],
  questions: Question[],
): Promise<Map<number, string[]>> {
  const rules = await readFile(RULES, 'utf8')
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  const valuesOf = (series: string): string =>
    recorded
      .map(({ scrape, minutes }, index) => {
        const value = scrape?.get(series)
        if (value !== undefined) return `${value}x${minutes - 1}`
        const isLost = index > 0 && recorded[index - 1]?.scrape?.has(series)
        return isLost ? `stale _x${minutes - 1}` : `_x${minutes}`
      })
      .join(' ')
  const allSeries = new Set(recorded.flatMap(({ scrape }) => [...(scrape?.keys() ?? [])]))
  const input_series = [...allSeries].map((series) => ({
    series: withTarget(series),
    values: valuesOf(series),
  }))
  const ups = recorded.map(({ scrape, minutes }) => `${scrape ? 1 : 0}x${minutes - 1}`)
  const up = { series: withTarget('up'), values: ups.join(' ') }
  const folder = await createTempFolder('upnext-promtool-')
  const file = join(folder, 'tests.yml')
  const silent = questions.flatMap(({ at, minutes }) =>
    names.map((name) => ({
      expr: `count(sum(count_over_time(ALERTS{alertname="${name}",alertstate="firing"}[${minutes}m]))) or vector(0)`,
      eval_time: `${at}m`,
      exp_samples: [{ labels: '{}', value: 0 }],
    })),
  )
  const tests = [{ interval: '1m', input_series: [...input_series, up], promql_expr_test: silent }]
  await writeFile(file, stringify({ rule_files: [resolve(RULES)], evaluation_interval: '1m', tests }))
  const { stdout, stderr } = await promisify(execFile)(promtoolPath ?? '', ['test', 'rules', file], {
    maxBuffer: 2 ** 26,
  }).catch((failed: { stdout: string; stderr: string }) => failed)
  await rm(folder, { recursive: true })
  const output = stdout + stderr
  if (!/SUCCESS|got: \{\} 1E\+00/.test(output)) throw new Error(output)
  const fired = new Map<number, string[]>()
  for (const [, name = '', days = '0', hours = '0', minutes = '0'] of output.matchAll(
    /alertname=\\"(\w+)\\".*?time: (?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?/g,
  )) {
    const at = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes)
    fired.set(at, [...(fired.get(at) ?? []), name])
  }
  return fired
}
