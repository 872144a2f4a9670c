import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks for a secret without showing the typed characters, or reads the first line of standard input. */
export async function readSecret(name: string): Promise<string> {
  const { stdin, stderr } = process
  const isTerminal = stdin.isTTY === true
  if (isTerminal) stderr.write(`Enter the ${name}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: isTerminal })
  try {
    for await (const line of lines) if (line.trim()) return line.trim()
  } finally {
    lines.close()
    if (isTerminal) stderr.write('\n')
  }
  throw new Error(`No ${name} was entered. Enter it, or send it on standard input.`)
}
