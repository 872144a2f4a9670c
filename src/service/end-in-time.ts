/** Longer than any statement in the database may take. Only a database that stopped responding takes so long. */
const TIME_LIMIT_MS = 60_000

/** Like Fastify's own limit, which takes longer than all its other work on a request. */
export async function endInTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timeoutError()), TIME_LIMIT_MS)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

const timeoutError = () =>
  Object.assign(new Error("The database didn't answer in time."), { code: 'ETIMEDOUT' })
