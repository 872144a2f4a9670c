import { z } from 'zod'
import { install, uninstall } from '../workspace/app.ts'
import type { Person } from '../workspace/people.ts'
import { deed, done, failed } from './deed.ts'

const mayManage = (person: Person | undefined) => person?.role === 'owner' || person?.role === 'admin'
const REFUSAL = 'Only owners and admins manage apps here.'

export const installApp = deed(z.object({}), async ({ slack, desk }) => {
  if (!mayManage(slack.people.get(desk.user))) return failed(REFUSAL)
  const { bot, user } = slack.app.manifest.oauth_config.scopes
  install(slack, { by: desk.user, scopes: bot, userScopes: user })
  return done
})

export const uninstallApp = deed(z.object({}), async ({ slack, desk }) => {
  if (!mayManage(slack.people.get(desk.user))) return failed(REFUSAL)
  uninstall(slack)
  return done
})
