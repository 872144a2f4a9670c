import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'local-slack',
    // The files share no module state, and importing every module again for each file takes long.
    isolate: false,
    include: ['test/**/*.test.ts'],
    // These only bound how long a broken test runs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 5 } },
  },
})
