import { configDefaults, defineConfig } from 'vitest/config'

/** Whether these pass depends on how fast the bot answers, so they don't run beside all the others. */
const ALONE = ['test/bot/{busy,metrics,recorded-day,typing}.test.ts']

const common = {
  // The files share only databases, which are reset, and importing every module again for each file takes long.
  isolate: false,
  globalSetup: 'test/support/postgres.ts',
  // Only bounds how long a broken test runs.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({
  test: {
    // Most tests wait for clocks rather than compute.
    maxWorkers: 4,
    projects: [
      'src/local-slack',
      {
        test: {
          ...common,
          name: 'upnext',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE],
        },
      },
      { test: { ...common, name: 'alone', include: ALONE, maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
})
