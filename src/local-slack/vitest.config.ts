import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'local-slack',
    // The files share no module state, and importing every module again for each file takes long.
    isolate: false,
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000, interval: 5 } },
  },
})
