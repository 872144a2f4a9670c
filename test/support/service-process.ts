import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

export type Running = {
  process: ChildProcess
  pid: number
  output: () => string
  errors: () => string
  /** Resolves when a line that begins so was printed; rejects with all output where the process ends before. */
  printed: (beginning: string) => Promise<string>
  ended: Promise<number | null>
  end: (signal: NodeJS.Signals) => Promise<number | null>
}

const resolved = (program: string) => (program.startsWith('-') ? [program] : [resolve(program)])

/** One of the built programs, as a person starts it. */
export function run(program: string, args: string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [...resolved(program), ...args], {
    cwd: tmpdir(), // where no .env of the developer's is
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)

  const lineOf = (beginning: string) => output.split('\n').find((line) => line.startsWith(beginning))
  const printed = (beginning: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const line = lineOf(beginning)
        if (line) resolve(line)
      }
      look()
      child.stdout.on('data', look)
      void ended.then((code) => reject(new Error(`ended with ${code}:\n${output}\n${errors}`)))
    })

  return {
    process: child,
    pid: child.pid ?? 0,
    output: () => output,
    errors: () => errors,
    printed,
    ended,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}
