import { findRows } from '../database/personal-data.ts'
import type { PersonalData } from './open-personal-data.ts'

type Output = { print: (line: string) => void; note: (line: string) => void }

/**
 * Prints each row that is about the person, was written by them or mentions them. Leaves out files and token hashes.
 */
export async function exportPerson({ places, person, name }: PersonalData, { print, note }: Output) {
  let count = 0
  for await (const { place, row } of findRows(places, person)) {
    const times = Object.values(row).filter((value) => value instanceof Date)
    const since = new Date(Math.min(...times.map(Number)))
    print(JSON.stringify({ table: `${place.schema}.${place.table}`, since, values: row }))
    count += 1
  }
  if (!count) note(`Nothing is stored about ${name}.`)
}
