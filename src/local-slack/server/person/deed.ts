import type { z } from 'zod'
import type { Judge } from '../../blocks/judge.ts'
import type { Desk } from '../workspace/desks.ts'
import type { Slack } from '../workspace/slack.ts'

/** A person at their desk. */
export type Scene = { slack: Slack; judge: Judge; desk: Desk }

/** What Slack tells the person who tried something that could not be done. */
export type Failed = { error: string }

/** Something a person can do. */
export type UserAction<Given, Result> = (scene: Scene, given: Given) => Promise<Result | Failed>

/** Makes a deed of what takes its parameters as they should be: who asks for it may be a page, and is not trusted. */
export const deed =
  <Params extends z.ZodType, Result>(
    schema: Params,
    run: (scene: Scene & { params: z.output<Params> }) => Promise<Result | Failed>,
  ): UserAction<z.input<Params>, Result> =>
  async (scene, given) => {
    const { data, error } = schema.safeParse(given)
    if (!error) return run({ ...scene, params: data })
    return failed(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  }

export const failed = (why: string): Failed => ({ error: why })

export const done: { done: true } = { done: true }
