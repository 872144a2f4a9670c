import type { MultiSelect, Option, OptionGroup, Select } from '@slack/types'
import { useEffect, useState } from 'react'
import type { ClientChannel } from '../../protocol.ts'
import { type Client, useClient } from '../client.tsx'
import { plainText } from '../text/text.tsx'
import { type ElementId, useSurface } from './surface.tsx'

export type SelectElement = Select | MultiSelect

export type SelectOption = {
  value: string
  label: string
  hint?: string | undefined
  group?: string | undefined
}

const toSelectOption = ({ text, value = '', description }: Option, group?: string): SelectOption => ({
  value,
  label: plainText(text),
  hint: description && plainText(description),
  group,
})

type OptionLists = { options?: Option[]; option_groups?: OptionGroup[] }

const toSelectOptions = ({ options = [], option_groups = [] }: OptionLists): SelectOption[] => [
  ...options.map((option) => toSelectOption(option)),
  ...option_groups.flatMap((group) =>
    group.options.map((option) => toSelectOption(option, plainText(group.label))),
  ),
]

export function initialOptions(element: SelectElement): SelectOption[] {
  if ('initial_option' in element && element.initial_option) return [toSelectOption(element.initial_option)]
  if ('initial_options' in element && element.initial_options)
    return element.initial_options.map((option) => toSelectOption(option))
  return []
}

/** The initial values of a select whose options are users or channels: their IDs. */
export const initialIds = (element: SelectElement): string[] =>
  Object.entries(element).flatMap(([key, value]) =>
    /^initial_(user|channel|conversation)s?$/.test(key) ? (value as string | string[]) : [],
  )

type Query = { isOpen: boolean; query: string }

type SelectOptions = {
  options: SelectOption[]
  /** What to show if there are no options. */
  emptyMessage: string
  labelOf: (value: string) => string
}

/** The options that match the query. */
export function useSelectOptions(
  element: SelectElement,
  elementId: ElementId,
  { isOpen, query }: Query,
): SelectOptions {
  const client = useClient()
  const externalOptions = useExternalOptions(element, elementId, { isOpen, query })
  if (externalOptions) return { ...externalOptions, labelOf: (value) => value }
  const allOptions = listOptions(element, client)
  const lowerCaseQuery = query.toLowerCase()
  return {
    options: allOptions.filter(({ label, hint = '' }) =>
      `${label} ${hint}`.toLowerCase().includes(lowerCaseQuery),
    ),
    emptyMessage: 'No results',
    labelOf: (value) => allOptions.find((option) => option.value === value)?.label ?? value,
  }
}

function listOptions(element: SelectElement, { state, channelName }: Client): SelectOption[] {
  const channelOption = (channel: ClientChannel): SelectOption => ({
    value: channel.id,
    label: channel.kind === 'public' ? `#${channelName(channel)}` : channelName(channel),
  })
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select':
      return toSelectOptions(element)
    case 'users_select':
    case 'multi_users_select':
      return state.users
        .filter(({ handle, isDeactivated }) => handle !== 'slackbot' && !isDeactivated)
        .map(({ id, name, handle, otherTeam }) => ({
          value: id,
          label: name,
          hint: otherTeam ? `@${handle}, ${otherTeam}` : `@${handle}`,
        }))
    case 'channels_select':
    case 'multi_channels_select':
      return state.channels.filter(({ kind }) => kind === 'public').map(channelOption)
    case 'conversations_select':
    case 'multi_conversations_select': {
      const { include, exclude_bot_users, exclude_external_shared_channels } = element.filter ?? {}
      const isWithBot = ({ members, kind }: ClientChannel) =>
        kind === 'im' && members.includes(state.app.botUserId)
      return state.channels
        .filter(({ kind }) => !include || include.includes(kind))
        .filter((channel) => !exclude_bot_users || !isWithBot(channel))
        .filter(({ sharedWith }) => !exclude_external_shared_channels || !sharedWith.length)
        .map(channelOption)
    }
    default:
      return []
  }
}

const SEARCH_DELAY_MS = 200
const DEFAULT_MIN_QUERY_LENGTH = 3

/** The options that the app suggests for the query, or undefined if the element isn't an external select. */
function useExternalOptions(
  element: SelectElement,
  { block_id, action_id }: ElementId,
  { isOpen, query }: Query,
): Omit<SelectOptions, 'labelOf'> | undefined {
  const { runAction } = useClient()
  const { surfaceId } = useSurface()
  const [suggested, setSuggested] = useState<Omit<SelectOptions, 'labelOf'>>()
  const isExternal = element.type === 'external_select' || element.type === 'multi_external_select'
  const minLength = isExternal ? (element.min_query_length ?? DEFAULT_MIN_QUERY_LENGTH) : 0
  const shouldSearch = isExternal && isOpen && query.length >= minLength
  // A surface's ID is a new object on each render; its JSON lets the effect see that it hasn't changed.
  const surfaceKey = JSON.stringify(surfaceId)
  useEffect(() => {
    if (!shouldSearch) return
    let isOutdated = false
    // Clears the options for the previous query, so that Enter can't pick one of them.
    setSuggested({ options: [], emptyMessage: 'Searching…' })
    const search = async () => {
      const container = JSON.parse(surfaceKey)
      const result = await runAction('loadOptions', { container, block_id, action_id, query })
      if (isOutdated) return
      if ('error' in result) setSuggested({ options: [], emptyMessage: result.error })
      else setSuggested({ options: toSelectOptions(result), emptyMessage: 'No results' })
    }
    const timer = setTimeout(search, query ? SEARCH_DELAY_MS : 0)
    return () => {
      isOutdated = true
      clearTimeout(timer)
    }
  }, [shouldSearch, query, runAction, surfaceKey, block_id, action_id])
  if (!isExternal) return undefined
  if (shouldSearch) return suggested ?? { options: [], emptyMessage: 'Searching…' }
  const characters = minLength === 1 ? 'character' : 'characters'
  return { options: [], emptyMessage: `Type at least ${minLength} ${characters} to search` }
}
