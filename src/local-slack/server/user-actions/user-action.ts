import type { z } from 'zod'
import type { Session } from '../workspace/entities.ts'
import type { Slack } from '../workspace/slack.ts'
import { isFromOtherTeam, teamOf } from '../workspace/teams.ts'

/** The session in which a user acts. */
export type ActionContext = { slack: Slack; session: Session }

/** The error message that the user sees. */
export type Failure = { error: string }

/** Something that a user can do in Slack. */
export type UserAction<Args, Result> = (context: ActionContext, args: Args) => Promise<Result | Failure>

/** Defines a user action. Its arguments are validated because they come from a page. */
export const defineUserAction =
  <Args extends z.ZodType, Result>(
    schema: Args,
    run: (context: ActionContext & { args: z.output<Args> }) => Promise<Result | Failure>,
  ): UserAction<z.input<Args>, Result> =>
  async (context, args) => {
    const { slack, session } = context
    const isDeactivated = slack.users.get(session.user)?.isDeactivated
    if (isDeactivated && !session.isUnrestricted) return failure('This account is deactivated.')
    const { data, error } = schema.safeParse(args)
    if (!error) return run({ ...context, args: data })
    return failure(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  }

/** Why a user can't use the app's commands, shortcuts and Home tab: Slack offers them only where the app is installed. */
export function findAppRefusal({ slack, session }: ActionContext): string | undefined {
  if (session.isUnrestricted || !isFromOtherTeam(slack, session.user)) return undefined
  const { name } = slack.app.manifest.display_information
  return `${name} isn't installed in your workspace, ${teamOf(slack, session.user).name}.`
}

export const failure = (error: string): Failure => ({ error })

export const DONE: { done: true } = { done: true }
