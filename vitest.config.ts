import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/postgres.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // They wait for one another's clocks more than they compute.
    maxWorkers: 2,
  },
})
