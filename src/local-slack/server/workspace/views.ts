import type { JudgedView } from '../../blocks/judge.ts'
import type { ViewState } from '../../blocks/state.ts'
import type { Desk } from './desks.ts'
import { announce } from './happenings.ts'
import type { Slack } from './slack.ts'

export type OpenView = {
  id: string
  hash: string
  given: JudgedView
  user: string
  desk: string
  root: string
  previous: string | null
}

export type HomeView = Omit<OpenView, 'desk' | 'previous'>

const DEEPEST = 3

/** Lays a modal on top of what lies there; alone, it takes the place of all that was open. */
export function pushView(
  slack: Slack,
  desk: Desk,
  given: JudgedView,
): { view: OpenView } | { refusal: 'push_limit_reached' } {
  if (desk.stack.length >= DEEPEST) return { refusal: 'push_limit_reached' }
  const id = slack.ids.next('V')
  const previous = desk.stack.at(-1) ?? null
  const root = desk.stack[0] ?? id
  const view = { id, hash: makeHash(slack), given, user: desk.user, desk: desk.id, root, previous }
  slack.views.set(id, view)
  desk.stack.push(id)
  announce(slack, { type: 'views', desk })
  return { view }
}

export function replaceView(slack: Slack, view: OpenView, given: JudgedView): OpenView {
  view.given = given
  view.hash = makeHash(slack)
  announceDesk(slack, view)
  return view
}

/** Takes the topmost modal away, and shows the one under it. */
export function popView(slack: Slack, desk: Desk): OpenView | undefined {
  const id = desk.stack.pop()
  const view = id ? slack.views.get(id) : undefined
  if (id) forget(slack, desk, id)
  announce(slack, { type: 'views', desk })
  return view
}

/** Takes all modals away; returns them, the topmost first. */
export function clearViews(slack: Slack, desk: Desk): OpenView[] {
  const gone = desk.stack.toReversed().flatMap((id) => slack.views.get(id) ?? [])
  for (const { id } of gone) forget(slack, desk, id)
  desk.stack = []
  announce(slack, { type: 'views', desk })
  return gone
}

function forget(slack: Slack, desk: Desk, id: string): void {
  slack.views.delete(id)
  desk.suggested.delete(id)
}

export function publishHome(slack: Slack, user: string, given: JudgedView): HomeView {
  const id = slack.homes.get(user)?.id ?? slack.ids.next('V')
  const view = { id, hash: makeHash(slack), given, user, root: id }
  slack.homes.set(user, view)
  announce(slack, { type: 'home', user })
  return view
}

export const openViewByExternalId = ({ views }: Slack, external_id: string): OpenView | undefined =>
  [...views.values()].find(({ given }) => given.external_id === external_id)

export const isTaken = (slack: Slack, external_id: string, by: string | undefined): boolean =>
  [...slack.views.values(), ...slack.homes.values()].some(
    ({ id, given }) => given.external_id === external_id && id !== by,
  )

const announceDesk = (slack: Slack, { desk }: OpenView) => {
  const found = slack.desks.get(desk)
  if (found) announce(slack, { type: 'views', desk: found })
}

const makeHash = ({ clock, ids }: Slack) =>
  `${Math.floor(clock.now().getTime() / 1000)}.${ids.secret().slice(0, 8)}`

/** A view as the app gets it back, and as it comes with what a person does in it. */
export function viewRecord(
  { team, app }: Slack,
  view: OpenView | HomeView,
  state: ViewState = { values: {} },
) {
  const { given } = view
  return {
    id: view.id,
    team_id: team.id,
    type: given.type,
    blocks: given.blocks,
    private_metadata: given.private_metadata ?? '',
    callback_id: given.callback_id ?? '',
    state,
    hash: view.hash,
    title: given.title ?? { type: 'plain_text' as const, text: 'View Title', emoji: true },
    clear_on_close: given.clear_on_close ?? false,
    notify_on_close: given.notify_on_close ?? false,
    close: given.close ?? null,
    submit: given.submit ?? null,
    previous_view_id: 'previous' in view ? view.previous : null,
    root_view_id: view.root,
    app_id: app.id,
    external_id: given.external_id ?? '',
    app_installed_team_id: team.id,
    bot_id: app.botId,
  }
}

export type ViewRecord = ReturnType<typeof viewRecord>
