import type { KnownBlock } from '@slack/types'
import type { Person } from '../asker.ts'
import { choiceOption } from '../form/choice-option.ts'
import type { Chosen } from '../projects.ts'
import { buttons, section } from '../reply.ts'

const MOST_PROJECTS = 100

const plain = (text: string) => ({ type: 'plain_text' as const, text })

/** What a person has chosen for themselves, and may choose anew. */
export function settings(chosen: Chosen, { zone, hasOwnZone }: Person): KnownBlock[] {
  const projects = 'projects' in chosen ? chosen.projects : 'unsure' in chosen ? chosen.unsure : []
  const project = 'project' in chosen ? chosen.project : undefined
  const options = projects
    .slice(0, MOST_PROJECTS)
    .map(({ Id, Name }) => choiceOption({ value: Id, label: Name }))
  const initial = options.find(({ value }) => value === project?.Id)
  return [
    { type: 'divider' },
    section('*Your settings*'),
    ...(options.length
      ? [
          {
            ...words('Project, where a channel has none of its own'),
            accessory: {
              type: 'static_select' as const,
              action_id: 'project:choose',
              placeholder: plain('Which project'),
              options,
              ...(initial && { initial_option: initial }),
            },
          },
        ]
      : []),
    {
      ...words(`Time zone that you write and read in${hasOwnZone ? '' : ', as Slack has it'}`),
      accessory: {
        type: 'external_select',
        action_id: 'zone:choose',
        placeholder: plain('A city or a zone'),
        min_query_length: 0,
        initial_option: choiceOption({ value: zone, label: zone }),
      },
    },
    ...buttons(...(hasOwnZone ? [{ action_id: 'zone:forget', label: "Go back to Slack's zone" }] : [])),
  ]
}

const words = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } })
