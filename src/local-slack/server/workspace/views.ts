import type { ViewState } from '../../blocks/state.ts'
import type { ValidView } from '../../blocks/validate-blocks.ts'
import type { HomeView, OpenView, Session } from './entities.ts'
import { allowFilesInView } from './files.ts'
import type { Slack } from './slack.ts'
import { teamOf } from './teams.ts'
import { emitEvent } from './workspace-events.ts'

const MAX_STACKED_VIEWS = 3

/** Opens a modal on top of the session's other modals. */
export function pushView(
  slack: Slack,
  session: Session,
  definition: ValidView,
): { view: OpenView } | { error: 'push_limit_reached' } {
  if (session.viewIds.length >= MAX_STACKED_VIEWS) return { error: 'push_limit_reached' }
  const id = slack.ids.next('V')
  const view = {
    id,
    hash: createHash(slack),
    definition,
    user: session.user,
    sessionId: session.id,
    rootId: session.viewIds[0] ?? id,
    previousId: session.viewIds.at(-1) ?? null,
  }
  slack.views.set(id, view)
  allowFilesInView(slack, view.user, definition.blocks)
  session.viewIds.push(id)
  emitEvent(slack, { type: 'views', session })
  return { view }
}

export function replaceView(slack: Slack, view: OpenView, definition: ValidView): OpenView {
  view.definition = definition
  allowFilesInView(slack, view.user, definition.blocks)
  view.hash = createHash(slack)
  emitViewsChanged(slack, view)
  return view
}

/** Closes the topmost modal. */
export function closeTopView(slack: Slack, session: Session): OpenView | undefined {
  const id = session.viewIds.pop()
  const view = id ? slack.views.get(id) : undefined
  if (id) deleteView(slack, session, id)
  emitEvent(slack, { type: 'views', session })
  return view
}

/** Closes all modals of a session and returns them, the topmost first. */
export function closeAllViews(slack: Slack, session: Session): OpenView[] {
  const closedViews = session.viewIds.toReversed().flatMap((id) => slack.views.get(id) ?? [])
  for (const { id } of closedViews) deleteView(slack, session, id)
  session.viewIds = []
  emitEvent(slack, { type: 'views', session })
  return closedViews
}

function deleteView(slack: Slack, session: Session, id: string): void {
  slack.views.delete(id)
  session.suggestedOptions.delete(id)
}

export function publishHome(slack: Slack, user: string, definition: ValidView): HomeView {
  const id = slack.homes.get(user)?.id ?? slack.ids.next('V')
  const view = { id, hash: createHash(slack), definition, user, rootId: id }
  slack.homes.set(user, view)
  allowFilesInView(slack, user, definition.blocks)
  emitEvent(slack, { type: 'home', user })
  return view
}

export const findViewByExternalId = ({ views }: Slack, external_id: string): OpenView | undefined =>
  [...views.values()].find(({ definition }) => definition.external_id === external_id)

/** Whether a view other than `ownViewId` has this external_id. */
export const isExternalIdTaken = (
  slack: Slack,
  external_id: string,
  ownViewId: string | undefined,
): boolean =>
  [...slack.views.values(), ...slack.homes.values()].some(
    ({ id, definition }) => definition.external_id === external_id && id !== ownViewId,
  )

const emitViewsChanged = (slack: Slack, { sessionId }: OpenView) => {
  const session = slack.sessions.get(sessionId)
  if (session) emitEvent(slack, { type: 'views', session })
}

const createHash = ({ clock, ids }: Slack) =>
  `${Math.floor(clock.now().getTime() / 1000)}.${ids.secret().slice(0, 8)}`

/** A view in the form of Slack's API. */
export function viewRecord(slack: Slack, view: OpenView | HomeView, state: ViewState = { values: {} }) {
  const { team, app } = slack
  const { definition } = view
  return {
    id: view.id,
    team_id: teamOf(slack, view.user).id,
    type: definition.type,
    blocks: definition.blocks,
    private_metadata: definition.private_metadata ?? '',
    callback_id: definition.callback_id ?? '',
    state,
    hash: view.hash,
    title: definition.title ?? { type: 'plain_text' as const, text: 'View Title', emoji: true },
    clear_on_close: definition.clear_on_close ?? false,
    notify_on_close: definition.notify_on_close ?? false,
    close: definition.close ?? null,
    submit: definition.submit ?? null,
    previous_view_id: 'previousId' in view ? view.previousId : null,
    root_view_id: view.rootId,
    app_id: app.id,
    external_id: definition.external_id ?? '',
    app_installed_team_id: team.id,
    bot_id: app.botId,
  }
}

export type ViewRecord = ReturnType<typeof viewRecord>
