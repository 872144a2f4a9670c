import { createInterface } from 'node:readline'
import { runTool, withDatabase } from '../run-tool.ts'
import { systemRuntime as runtime } from '../runtime.ts'
import { erasePerson } from './erase-person.ts'
import { exportPerson } from './export-person.ts'
import { openPersonalData } from './open-personal-data.ts'

const HELP = `Usage: npm run --silent personal-data -- export <person>...
       npm run --silent personal-data -- erase <person>... [--yes]

<person> is an email address or a Slack user id. Enter all of the person's addresses and ids.

  export   Prints the data about the person, one JSON object per line.
  erase    Prints where the data is stored, asks for confirmation, and erases it. --yes skips the question.`

const ERASE_THERE_FIRST =
  ' Erase the user there first. Otherwise Upnext stores their data again when someone changes their role.'

await runTool(HELP, ['yes'], async ([command = '', ...identifiers], { yes }) => {
  if (!identifiers.length || !['export', 'erase'].includes(command)) throw new Error(HELP)
  const isErasure = command === 'erase'
  await withDatabase(async (database, { API_BASE_URL }) => {
    if (API_BASE_URL)
      console.error(
        `The service at ${API_BASE_URL} stores its data separately.${isErasure ? ERASE_THERE_FIRST : ''}`,
      )
    const data = await openPersonalData(database, identifiers)
    if (isErasure)
      await erasePerson(data, { runtime, print: console.log, confirm: async () => Boolean(yes) || ask() })
    else await exportPerson(data, { print: console.log, note: console.error })
  })
})

async function ask(): Promise<boolean> {
  process.stdout.write("Erase this? It can't be undone. [y/N] ")
  for await (const answer of createInterface({ input: process.stdin })) return /^y(es)?$/i.test(answer.trim())
  throw new Error('\nNothing was erased, because there was no answer. To skip the question, add --yes.')
}
