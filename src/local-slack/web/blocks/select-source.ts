import type { MultiSelect, Option, OptionGroup, Select } from '@slack/types'
import { useEffect, useState } from 'react'
import type { ClientChannel } from '../../protocol.ts'
import { type Slack, useSlack } from '../slack.tsx'
import { plainText } from '../words/text-object.tsx'
import type { Which } from './any-element.tsx'
import { usePlace } from './place.tsx'

export type Choice = { value: string; label: string; hint?: string | undefined; group?: string | undefined }

type Element = Select | MultiSelect

const ofOption = ({ text, value = '', description }: Option, group?: string): Choice => ({
  value,
  label: plainText(text),
  hint: description && plainText(description),
  group,
})

const ofOptions = ({
  options,
  option_groups,
}: {
  options?: Option[]
  option_groups?: OptionGroup[]
}): Choice[] => [
  ...(options ?? []).map((option) => ofOption(option)),
  ...(option_groups ?? []).flatMap(({ label, options }) =>
    options.map((one) => ofOption(one, plainText(label))),
  ),
]

/** What is chosen before anybody chooses. */
export function initialChoices(element: Element): Choice[] {
  if ('initial_option' in element && element.initial_option) return [ofOption(element.initial_option)]
  if ('initial_options' in element) return (element.initial_options ?? []).map((one) => ofOption(one))
  return []
}

/** The same where people and channels are chosen, by their ids. */
export const initialIds = (element: Element): string[] =>
  Object.entries(element).flatMap(([key, value]) =>
    /^initial_(user|channel|conversation)s?$/.test(key) ? (value as string | string[]) : [],
  )

type Looking = { open: boolean; query: string }
type Choices = { choices: Choice[]; note: string; nameOf: (value: string) => string }

/** What there is to choose from, of whichever of the five sources. */
export function useChoices(element: Element, which: Which, { open, query }: Looking): Choices {
  const slack = useSlack()
  const external = useSuggestions(element, which, { open, query })
  if (external) return { ...external, nameOf: (value) => value }
  const all = allChoices(element, slack)
  const wanted = query.toLowerCase()
  return {
    choices: all.filter(({ label, hint = '' }) => `${label} ${hint}`.toLowerCase().includes(wanted)),
    note: 'No result',
    nameOf: (value) => all.find((choice) => choice.value === value)?.label ?? value,
  }
}

function allChoices(element: Element, slack: Slack): Choice[] {
  const { seen, nameOf } = slack
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select':
      return ofOptions(element)
    case 'users_select':
    case 'multi_users_select':
      return seen.users
        .filter(({ handle }) => handle !== 'slackbot')
        .map(({ id, name, handle }) => ({ value: id, label: name, hint: `@${handle}` }))
    case 'channels_select':
    case 'multi_channels_select':
      return seen.channels.filter(({ kind }) => kind === 'public').map((one) => ofChannel(one, nameOf))
    case 'conversations_select':
    case 'multi_conversations_select': {
      const { filter } = element
      const kinds = filter?.include
      const isBots = ({ members, kind }: ClientChannel) =>
        kind === 'im' && members.includes(seen.app.botUserId)
      return seen.channels
        .filter((one) => !kinds || kinds.includes(one.kind))
        .filter((one) => !filter?.exclude_bot_users || !isBots(one))
        .map((one) => ofChannel(one, nameOf))
    }
    default:
      return []
  }
}

const ofChannel = (channel: ClientChannel, nameOf: Slack['nameOf']): Choice => ({
  value: channel.id,
  label: channel.kind === 'public' ? `#${nameOf(channel)}` : nameOf(channel),
})

const PAUSE_MS = 200
/** Without a word from the app, three letters have to be typed. */
const USUAL_LENGTH = 3

/** What the app suggests for what was typed; undefined where it is not asked. */
function useSuggestions(
  element: Element,
  { block_id, action_id }: Which,
  { open, query }: Looking,
): Omit<Choices, 'nameOf'> | undefined {
  const { act } = useSlack()
  const { at } = usePlace()
  const [found, setFound] = useState<{ choices: Choice[]; note: string }>({ choices: [], note: '' })
  const external = element.type === 'external_select' || element.type === 'multi_external_select'
  const least = external ? (element.min_query_length ?? USUAL_LENGTH) : 0
  const asks = external && open && query.length >= least
  const where = JSON.stringify(at)
  useEffect(() => {
    if (!asks) return
    let stale = false
    // At once: what was found for other words is not to be chosen for these.
    setFound({ choices: [], note: 'Looking…' })
    const ask = async () => {
      const result = await act('loadOptions', { container: JSON.parse(where), block_id, action_id, query })
      if (stale) return
      if ('error' in result) setFound({ choices: [], note: result.error })
      else setFound({ choices: ofOptions(result), note: 'No result' })
    }
    const timer = setTimeout(ask, query ? PAUSE_MS : 0)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [asks, query, act, where, block_id, action_id])
  if (!external) return undefined
  return asks ? found : { choices: [], note: `Type at least ${least} characters to search` }
}
