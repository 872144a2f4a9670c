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

const CALM_MINUTES = 70
const MINUTES = 12

/**
 * Returns the alerts that fire after an instance has answered like the first scrape for more than an hour, then like the
 * others, and like the last one for 12 minutes. Undefined stands for no answer.
 */
export async function findAlerts(...scrapes: (Scrape | undefined)[]): Promise<string[]> {
  const rules = await readFile(RULES, 'utf8')
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  const repeat = (values: string[]): string =>
    values
      .map((value, index) => {
        const count = index === 0 ? CALM_MINUTES : index === values.length - 1 ? MINUTES : 1
        return value === 'stale' ? value : `${value}x${count - 1}`
      })
      .join(' ')
  const allSeries = new Set(scrapes.flatMap((scrape) => [...(scrape?.keys() ?? [])]))
  const input_series = [...allSeries].map((series) => ({
    series: withTarget(series),
    values: repeat(scrapes.map((scrape, index) => scrape?.get(series) ?? (index ? 'stale' : '_'))),
  }))
  const up = { series: withTarget('up'), values: repeat(scrapes.map((scrape) => (scrape ? '1' : '0'))) }
  const folder = await createTempFolder('upnext-promtool-')
  const file = join(folder, 'tests.yml')
  const silent = names.map((name) => ({
    expr: `count(sum(count_over_time(ALERTS{alertname="${name}",alertstate="firing"}[20m]))) or vector(0)`,
    eval_time: `${CALM_MINUTES + MINUTES + scrapes.length - 4}m`,
    exp_samples: [{ labels: '{}', value: 0 }],
  }))
  const tests = [{ interval: '1m', input_series: [...input_series, up], promql_expr_test: silent }]
  await writeFile(file, stringify({ rule_files: [resolve(RULES)], evaluation_interval: '1m', tests }))
  const { stdout, stderr } = await promisify(execFile)(promtoolPath ?? '', ['test', 'rules', file]).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  )
  await rm(folder, { recursive: true })
  const output = stdout + stderr
  if (!/SUCCESS|got: \{\} 1E\+00/.test(output)) throw new Error(output)
  return names.filter((name) => output.includes(`alertname=\\"${name}\\"`))
}
