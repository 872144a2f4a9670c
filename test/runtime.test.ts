import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { systemRuntime } from '../src/runtime.ts'

const HOUR_MS = 3_600_000

describe('a pause', () => {
  it('ends when its signal aborts, before or during the pause', async () => {
    const controller = new AbortController()
    const pause = systemRuntime.sleep(HOUR_MS, controller.signal)
    controller.abort()
    await pause
    await systemRuntime.sleep(HOUR_MS, controller.signal)
  })

  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController()
    await systemRuntime.sleep(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
