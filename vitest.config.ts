import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Most tests wait for clocks rather than compute.
    maxWorkers: 3,
    projects: [
      'src/local-slack',
      {
        test: {
          name: 'upnext',
          // The files share no module state, and importing every module again for each file takes long.
          isolate: false,
          include: ['test/**/*.test.ts'],
          globalSetup: 'test/support/postgres.ts',
          // Only bounds how long a broken test runs.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
