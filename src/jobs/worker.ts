import PQueue from 'p-queue'
import type { Bot } from '../bot/slack/bot.ts'
import { limitRun, type Poller, type PollerOptions, startPoller } from './poller.ts'

type WorkerOptions<Job> = Pick<PollerOptions, 'name' | 'intervalMs'> & {
  bot: Bot
  findJobs: () => Promise<Job[]>
  keyOf: (job: Job) => string
  processJob: (job: Job) => Promise<unknown>
  concurrency?: number
}

const MAX_CONCURRENT_JOBS = 50

/**
 * Looks for due jobs and processes several at a time. Every instance does so: a job's lease in the database keeps two
 * instances from processing it, and its key keeps one instance from starting it twice. A job that hangs is left behind, and
 * may start again once its lease has ended.
 */
export function startWorker<Job>(options: WorkerOptions<Job>): Poller {
  const { bot, name, intervalMs, findJobs, keyOf, processJob, concurrency = MAX_CONCURRENT_JOBS } = options
  const { log, runtime } = bot
  const queue = new PQueue({ concurrency })
  const activeKeys = new Set<string>()
  const stopping = new AbortController()
  const run = async (job: Job) => {
    await limitRun(processJob(job), runtime).catch(async (err) => {
      log.error({ err, job: keyOf(job) }, `${name} failed`)
      // Without this pause, a job that fails before it takes its lease would start again at once.
      await runtime.sleep(intervalMs, stopping.signal)
    })
    activeKeys.delete(keyOf(job))
  }
  const task = async () => {
    const jobs = (await findJobs()).filter((job) => !activeKeys.has(keyOf(job)))
    for (const job of jobs) {
      activeKeys.add(keyOf(job))
      void queue.add(() => run(job))
    }
    return jobs.length > 0
  }
  const waitForRoom = () => queue.onSizeLessThan(1)
  const poller = startPoller({ log, runtime, name, intervalMs, task, waitForRoom })
  return {
    ...poller,
    async stop() {
      stopping.abort()
      queue.clear()
      await poller.stop()
      await queue.onIdle()
    },
  }
}
