import type { KnownBlock } from '@slack/types'
import type { Person } from '../asker.ts'
import { choiceOption } from '../form/choice-option.ts'
import type { Chosen } from '../projects.ts'
import { buttons, plain, section } from '../reply.ts'

/** More of them are looked up as one types. */
const MOST_OPTIONS = 100

/** What a person has chosen for themselves, and may choose anew. */
export function settings(chosen: Chosen, { zone, hasOwnZone }: Person): KnownBlock[] {
  const projects = 'projects' in chosen ? chosen.projects : 'unsure' in chosen ? chosen.unsure : []
  const project = 'project' in chosen ? chosen.project : undefined
  const options = projects.map(({ Id, Name }) => choiceOption({ value: Id, label: Name }))
  const initial = project && choiceOption({ value: project.Id, label: project.Name })
  return [
    { type: 'divider' },
    section('*Your settings*'),
    ...(options.length
      ? [
          {
            ...words('Project, where a channel has none of its own'),
            accessory: {
              ...(options.length > MOST_OPTIONS
                ? { type: 'external_select' as const, min_query_length: 0 }
                : { type: 'static_select' as const, options }),
              action_id: 'project:choose',
              placeholder: plain('Which project'),
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
