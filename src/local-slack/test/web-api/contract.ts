import { afterEach, beforeEach, describe, it } from 'vitest'
import { conversations } from './contract/conversations.ts'
import { editing } from './contract/editing.ts'
import { files } from './contract/files.ts'
import { history } from './contract/history.ts'
import { identity } from './contract/identity.ts'
import type { Cases, Implementation } from './contract/implementation.ts'
import { posting } from './contract/posting.ts'
import { scheduling } from './contract/scheduling.ts'
import { users } from './contract/users.ts'
import { views } from './contract/views.ts'

const casesByTopic = {
  'App and workspace': identity,
  Users: users,
  Conversations: conversations,
  History: history,
  'Posting messages': posting,
  'Editing messages': editing,
  'Scheduled messages': scheduling,
  Views: views,
  Files: files,
} satisfies Record<string, Cases>

type CasesByTopic = typeof casesByTopic

type CaseName = { [Topic in keyof CasesByTopic]: keyof CasesByTopic[Topic] }[keyof CasesByTopic]

/** The cases in which an implementation differs from Slack's documentation, with the reason. */
export type Differences = Partial<Record<CaseName, string>>

/** Checks an implementation of Slack's Web API. Every case must pass, unless it is a known difference and fails. */
export function describeWebApi(
  implementation: string,
  open: () => Promise<Implementation>,
  differences: Differences = {},
): void {
  const reasons: Record<string, string | undefined> = differences
  describe(implementation, () => {
    let slack: Implementation
    beforeEach(async () => {
      slack = await open()
    })
    afterEach(() => slack.close())

    describe.each(Object.entries(casesByTopic))('%s', (_topic, cases: Cases) => {
      for (const [name, check] of Object.entries(cases)) {
        const reason = reasons[name]
        if (reason) it.fails(`${name} (known difference: ${reason})`, () => check(slack))
        else it(name, () => check(slack))
      }
    })
  })
}
