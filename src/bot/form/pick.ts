import type { InputBlock } from '@slack/types'
import { choiceOption } from './choice-option.ts'
import type { Choice, Filling, Look } from './field.ts'

/** What is chosen before all else, and fills in the fields: the thing to change, or somebody of this workspace. */
export type Pick = {
  label: string
  hint?: string
  isOptional?: boolean
  /** What there is to choose from; without it, the members of the workspace. */
  options?: (look: Look) => Promise<Choice[]>
  /** What the fields hold once it is chosen; those that are not named keep what they hold. */
  fill?: (look: Look & { id: string }) => Promise<Filling>
}

/** The input that a pick is made with. */
export function pickElement(
  { options }: Pick,
  action_id: string,
  picked: Choice | undefined,
): InputBlock['element'] {
  if (!options) return { type: 'users_select', action_id, ...(picked && { initial_user: picked.value }) }
  return {
    type: 'external_select',
    action_id,
    min_query_length: 0,
    ...(picked && { initial_option: choiceOption(picked) }),
  }
}
