import { z } from 'zod'
import { askApp } from '../to-app/ask-app.ts'
import { interaction } from '../to-app/payloads.ts'
import type { Slack } from '../workspace/slack.ts'
import { clearViews, type OpenView, popView, viewRecord } from '../workspace/views.ts'
import { deed, done, failed } from './deed.ts'

const params = z.object({
  view: z.string(),
  /** The cross closes all that is open; the button closes what lies on top. */
  all: z.boolean().default(false),
})

export const closeView = deed(params, async ({ slack, desk, params }) => {
  const view = slack.views.get(params.view)
  if (!view || desk.stack.at(-1) !== view.id) return failed('This form is gone.')
  if (!params.all && !view.given.clear_on_close) {
    popView(slack, desk)
    tellApp(slack, view, { is_cleared: false })
    return done
  }
  // Of a whole stack the app hears once, by the view that lay lowest.
  const root = clearViews(slack, desk).at(-1)
  if (root) tellApp(slack, root, { is_cleared: true })
  return done
})

function tellApp(slack: Slack, view: OpenView, { is_cleared }: { is_cleared: boolean }): void {
  if (!view.given.notify_on_close) return
  const payload = {
    type: 'view_closed',
    ...interaction(slack, view.user),
    view: viewRecord(slack, view),
    is_cleared,
  }
  askApp(slack, { type: 'interactive', payload }).catch(slack.log)
}
