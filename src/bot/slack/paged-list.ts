import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { ApiFailure } from '../../api/result.ts'
import { replyWithFailure } from './errors.ts'
import type { Action, Feature, Request } from './feature.ts'
import { type Button, buttonRow, section, textReply, truncate } from './message-blocks.ts'
import { type Access, VIEW_ACCESS } from './permissions.ts'

const PageRequest = z.object({ text: z.string(), page: z.int().min(0), project_id: z.string().optional() })

/** The value of a paging button: the page to show, and in `text`, the filter that the user typed. */
export type PageRequest = z.output<typeof PageRequest>

/** Slack allows 2,000 characters in a button's value, and the filter is only a part of it. */
const MAX_FILTER_LENGTH = 1000

type ListPage =
  | {
      title: string
      items: KnownBlock[][]
      hasMore: boolean
      /** The number of the shown page, if the requested page no longer exists. */
      page?: number
      /** Blocks between the items and the buttons. */
      extra?: KnownBlock[]
      buttons?: Button[]
      project_id?: string
    }
  | { message: string; buttons?: Button[] }
  | { failure: ApiFailure }

type PagedListDefinition = Omit<Feature, 'access' | 'run'> & {
  access?: Access
  /** Buttons can show the list with another filter. */
  hasFilterButtons?: boolean
  /** Returns undefined if it has already replied to the user. */
  loadPage: (request: Request, page: PageRequest) => Promise<ListPage | undefined>
}

/** A list with buttons for the next and the previous page, which replace the page shown. */
export function definePagedList({
  access = VIEW_ACCESS,
  hasFilterButtons = false,
  loadPage,
  actions,
  ...feature
}: PagedListDefinition): Feature {
  const { verb } = feature
  const showPage = async (request: Request, pageRequest: PageRequest): Promise<void> => {
    const list = await loadPage(request, pageRequest)
    if (!list) return
    if ('failure' in list) return replyWithFailure(request, list.failure)
    const { extra = [], buttons = [] } = { extra: [], ...list }
    if ('message' in list) return request.reply(textReply(list.message, ...buttonRow(...buttons)))
    const { page = pageRequest.page, project_id, hasMore } = list
    const pages = pageButtons(verb, { ...pageRequest, page, project_id }, hasMore)
    const items = [section(`*${list.title}*`), ...list.items.flat(), ...extra]
    const blocks = [...items, ...buttonRow(...pages, ...buttons)]
    await request.reply({ text: list.title, blocks })
  }
  const turnPage: Action = {
    access,
    run: (request) =>
      showPage({ ...request, reply: request.replace }, PageRequest.parse(JSON.parse(request.text))),
  }
  return {
    ...feature,
    access,
    run: (request) => showPage(request, { text: truncate(request.text, MAX_FILTER_LENGTH, ''), page: 0 }),
    actions: {
      [`${verb}:show`]: {
        access,
        // The button's value may name a project.
        run: (request) => showPage(request, { text: '', page: 0, project_id: request.text || undefined }),
      },
      ...pageActions(verb, turnPage),
      ...(hasFilterButtons && { [`${verb}:list`]: turnPage }),
      ...actions,
    },
  }
}

/** The actions of `pageButtons`. */
export const pageActions = (verb: string, action: Action): Record<string, Action> => ({
  [`${verb}:back`]: action,
  [`${verb}:more`]: action,
})

/** Buttons for the pages before and after this one. */
export function pageButtons<Value extends { page: number }>(
  verb: string,
  value: Value,
  hasMore: boolean,
  [back, more] = ['‹ Back', 'More ›'],
): Button[] {
  const toValue = (page: number) => JSON.stringify({ ...value, page })
  const { page } = value
  const buttons: Button[] = []
  if (page > 0) buttons.push({ action_id: `${verb}:back`, label: back, value: toValue(page - 1) })
  if (hasMore) buttons.push({ action_id: `${verb}:more`, label: more, value: toValue(page + 1) })
  return buttons
}

/** One page of a list that the service returns as a whole. If the list has become shorter, the last page is shown. */
export function slicePage<Item>(items: Item[], page: number, pageSize: number) {
  const lastPage = Math.max(0, Math.ceil(items.length / pageSize) - 1)
  const shownPage = Math.min(page, lastPage)
  const start = shownPage * pageSize
  return {
    items: items.slice(start, start + pageSize),
    start,
    page: shownPage,
    hasMore: shownPage < lastPage,
  }
}
