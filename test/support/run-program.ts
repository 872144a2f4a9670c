import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

export type RunningProgram = {
  process: ChildProcess
  pid: number
  /** Everything printed to standard output and standard error so far. */
  output: () => string
  errors: () => string
  /**
   * Resolves with the first printed line that has this prefix. Rejects if the program ends without printing
   * it.
   */
  waitForLine: (prefix: string) => Promise<string>
  exitCode: Promise<number | null>
  /** Sends the signal and resolves with the exit code. */
  stop: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts one of the built programs in its own process, as users do. */
export function runProgram(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  /** What the program reads from standard input. */
  input = '',
): RunningProgram {
  const nodeArgs = program.startsWith('-') ? [program] : [resolve(program)]
  const child = spawn(process.execPath, [...nodeArgs, ...args], {
    cwd: tmpdir(), // The developer's .env file must not apply.
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A program that ends without reading closes its end.
  child.stdin.on('error', () => {}).end(input)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const exitCode = once(child, 'close').then(([code]) => code as number | null)

  const waitForLine = (prefix: string) =>
    new Promise<string>((resolve, reject) => {
      const checkOutput = () => {
        const line = output.split('\n').find((line) => line.startsWith(prefix))
        if (line) resolve(line)
      }
      checkOutput()
      child.stdout.on('data', checkOutput)
      void exitCode.then((code) => reject(new Error(`Exited with ${code}:\n${output}\n${errors}`)))
    })

  return {
    process: child,
    pid: child.pid ?? 0,
    output: () => output,
    errors: () => errors,
    waitForLine,
    exitCode,
    stop: (signal) => {
      child.kill(signal)
      return exitCode
    },
  }
}
