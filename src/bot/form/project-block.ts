import type { InputBlock, KnownBlock } from '@slack/types'
import type { KnownProject } from '../projects.ts'
import { context, plain } from '../reply.ts'
import { choiceOption } from './choice-option.ts'

/** As many as a plain list can hold; more of them are looked up as one types. */
const MOST_OPTIONS = 100

export type Projects = {
  /** Undefined as long as they are not known. */
  projects?: KnownProject[] | 'many' | undefined
  /** Whether they could not be had. */
  isLost?: boolean | undefined
  project?: KnownProject | undefined
}

type Names = { block_id: string; chosen: string; lookedUp: string; again: string; dispatches: boolean }

/** The first input of each form; or why there is none yet. */
export function projectBlock(names: Names, { projects, isLost, project }: Projects): KnownBlock {
  if (!projects)
    return isLost ? lost(names) : { ...context('Looking for the projects…'), block_id: 'looking' }
  if (!projects.length)
    return { ...context("There is no project that the bot's token can see."), block_id: 'none' }
  const chosen = project && choiceOption({ value: project.Id, label: project.Name })
  const isMany = projects === 'many' || projects.length > MOST_OPTIONS
  const element: InputBlock['element'] = isMany
    ? {
        type: 'external_select',
        action_id: names.lookedUp,
        min_query_length: 0,
        ...(chosen && { initial_option: chosen }),
      }
    : {
        type: 'static_select',
        action_id: names.chosen,
        options: projects.map(({ Id, Name }) => choiceOption({ value: Id, label: Name })),
        ...(chosen && { initial_option: chosen }),
      }
  return {
    type: 'input',
    block_id: names.block_id,
    label: plain('Project'),
    // The options of what is looked up are asked for in the project that Slack was last told of.
    dispatch_action: names.dispatches,
    element,
  }
}

const lost = ({ again }: Names): KnownBlock => ({
  type: 'section',
  block_id: 'looking',
  text: { type: 'mrkdwn', text: 'The projects could not be fetched.' },
  accessory: { type: 'button', action_id: again, text: plain('Try again') },
})
