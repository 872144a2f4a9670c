// Loaded into the built program before its own code. On SIGUSR2, it prints the memory that is left after a collection.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

process.on('SIGUSR2', () => {
  collectGarbage()
  const { heapUsed, rss } = process.memoryUsage()
  console.log(`memory ${JSON.stringify({ heapUsed, rss })}`)
})
