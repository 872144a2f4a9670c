import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurnQueue } from '../../src/bot/slack/turns.ts'

it('lets one caller go on in each turn of the event loop', async () => {
  const waitForTurn = createTurnQueue()
  let turn = 0
  const turns: number[] = []
  const callers = [1, 2, 3].map(() => waitForTurn().then(() => turns.push(turn)))
  for (; turns.length < callers.length; turn++) await setImmediate()
  expect(new Set(turns).size).toBe(callers.length)
})
