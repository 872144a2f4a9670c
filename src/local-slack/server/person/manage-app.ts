import { z } from 'zod'
import { install, uninstall } from '../workspace/app.ts'
import { mayManageApps } from '../workspace/people.ts'
import { deed, done, failed } from './deed.ts'

const REFUSAL = 'Only owners and admins manage apps here.'

export const installApp = deed(z.object({}), async ({ slack, desk }) => {
  if (!mayManageApps(slack.people.get(desk.user))) return failed(REFUSAL)
  const { bot, user } = slack.app.manifest.oauth_config.scopes
  // Nobody here could tell the app of another token: the one that it knows is good again.
  slack.app.revoked.delete(slack.app.secrets.botToken)
  install(slack, { by: desk.user, scopes: bot, userScopes: user })
  return done
})

export const uninstallApp = deed(z.object({}), async ({ slack, desk }) => {
  if (!mayManageApps(slack.people.get(desk.user))) return failed(REFUSAL)
  uninstall(slack)
  return done
})
