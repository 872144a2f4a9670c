import { afterEach, beforeEach, describe, it } from 'vitest'
import { conversations } from './contract/conversations.ts'
import { editing } from './contract/editing.ts'
import { files } from './contract/files.ts'
import { history } from './contract/history.ts'
import { identity } from './contract/identity.ts'
import type { Cases, Opened } from './contract/opened.ts'
import { people } from './contract/people.ts'
import { posting } from './contract/posting.ts'
import { scheduling } from './contract/scheduling.ts'
import { views } from './contract/views.ts'

const subjects = {
  'The app and its workspace': identity,
  People: people,
  Conversations: conversations,
  'What was said': history,
  'Saying something': posting,
  'Changing what was said': editing,
  'Saying something later': scheduling,
  Views: views,
  Files: files,
} satisfies Record<string, Cases>

type Subjects = typeof subjects

type CaseName = { [Subject in keyof Subjects]: keyof Subjects[Subject] }[keyof Subjects]

/** Where an implementation is known not to be as Slack documents it, and in what way. */
export type Differences = Partial<Record<CaseName, string>>

/** The Web API as Slack documents it: each case has to hold, or has to be among the differences and not hold. */
export function describeWebApi(
  name: string,
  open: () => Promise<Opened>,
  differences: Differences = {},
): void {
  const reasons: Record<string, string | undefined> = differences
  describe(name, () => {
    let slack: Opened
    beforeEach(async () => {
      slack = await open()
    })
    afterEach(() => slack.close())

    describe.each(Object.entries(subjects))('%s', (_subject, cases: Cases) => {
      for (const [sentence, check] of Object.entries(cases)) {
        const reason = reasons[sentence]
        if (reason) it.fails(`NOT ${sentence}: ${reason}`, () => check(slack))
        else it(sentence, () => check(slack))
      }
    })
  })
}
