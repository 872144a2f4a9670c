import type { Completion } from '../../../forms/field.ts'
import { workspaceHasSlots } from '../../slots/slot-store.ts'
import { readSlotWords } from '../../slots/slot-words.ts'
import type { OpenedPost } from '../display/post-reference.ts'
import { chooseSlot } from './free-slots.ts'

/** Completes "next free slot" for the platforms in the words, or else for those in the form or of its post. */
export const SLOT_COMPLETION: Completion = {
  example: 'next free slot',
  isAvailable: (bot, { team_id }) => workspaceHasSlots(bot.db, team_id),
  matches: (text) => readSlotWords(text) !== undefined,
  complete: (text, { bot, actor, project_id, values, opened, ...context }) => {
    const { platforms: typedPlatforms, days } = readSlotWords(text) ?? { platforms: [], days: '' }
    const formPlatforms = Array.isArray(values.Platforms)
      ? values.Platforms
      : (opened as OpenedPost | undefined)?.Platforms
    const platforms = typedPlatforms.length ? typedPlatforms : (formPlatforms ?? [])
    return chooseSlot(bot, { team_id: actor.team_id, project_id }, { platforms, days }, context)
  },
}
