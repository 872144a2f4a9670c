import { expect, it } from 'vitest'
import { createReadinessCheck, type ReadinessProblem } from '../src/readiness.ts'
import { captureLog } from './support/capture-log.ts'

it('logs each cause of a problem once, until everything works again', async () => {
  const { log, entries } = captureLog()
  const reason = "The database can't be reached right now."
  let problem: ReadinessProblem | undefined
  const findProblem = createReadinessCheck({ log, checks: [() => problem] })
  const probe = async (message?: string) => {
    problem = message ? { reason, err: new Error(message) } : undefined
    expect(await findProblem()).toBe(message && reason)
  }
  for (const message of ['terminating connection', 'too many connections', 'terminating connection'])
    await probe(message)
  await probe()
  await probe('terminating connection')
  expect(entries.map(({ msg, err }) => [msg, err?.message])).toEqual([
    ['Not ready', 'terminating connection'],
    ['Not ready', 'too many connections'],
    ['Ready again', undefined],
    ['Not ready', 'terminating connection'],
  ])
})
