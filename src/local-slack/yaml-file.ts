import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { z } from 'zod'

/** Reads a file of YAML, or JSON, that must fit a schema; `complaint` says what it is otherwise not. */
export function readYamlFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  complaint: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(parse(readFileSync(file, 'utf8')))
  if (!error) return data
  const faults = error.issues.map(({ path, message }) => `  ${path.join('.') || 'the file'}: ${message}`)
  throw new Error(`${file} ${complaint}:\n${faults.join('\n')}`)
}
