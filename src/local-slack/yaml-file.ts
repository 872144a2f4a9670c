import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { z } from 'zod'

/** Reads a YAML or JSON file that must match a schema. `complaint` begins the error message if it doesn't. */
export function readYamlFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  complaint: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(parse(readFileSync(file, 'utf8')))
  if (!error) return data
  const issues = error.issues.map(({ path, message }) => `  ${path.join('.') || 'the file'}: ${message}`)
  throw new Error(`${file} ${complaint}:\n${issues.join('\n')}`)
}
