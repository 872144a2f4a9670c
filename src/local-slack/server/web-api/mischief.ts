import type { Slack } from '../workspace/slack.ts'

/** What the next calls are to meet with, so that a bot can be seen coping with it. */
export type Mischief = {
  /** A method's name, or `*` for any. */
  method: string
  times: number
  /** Answer with this error of Slack's. */
  error?: string | undefined
  /** Answer with this HTTP status. */
  status?: number | undefined
  retry_after?: number | undefined
  delay_ms?: number | undefined
  /** Do what is asked, then break the connection before answering: the caller cannot know. */
  lose_answer?: boolean | undefined
}

/** The mischief that this call meets with, which is then used up by one. */
export function takeMischief(slack: Slack, method: string): Mischief | undefined {
  const index = slack.mischief.findIndex((one) => one.method === method || one.method === '*')
  const found = slack.mischief[index]
  if (!found) return undefined
  found.times -= 1
  if (found.times <= 0) slack.mischief.splice(index, 1)
  return found
}

export const wait = ({ clock }: Slack, ms: number) =>
  new Promise<void>((resolve) => {
    clock.after(ms, resolve)
  })
