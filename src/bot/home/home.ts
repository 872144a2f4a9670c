import { createHash } from 'node:crypto'
import type { HomeView, KnownBlock } from '@slack/types'
import { findPersonHome, setPersonHome } from '../../store/person-homes.ts'
import { findPerson } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import { chooseProject } from '../projects.ts'
import { buttons, section } from '../reply.ts'
import { report } from '../trouble.ts'
import { overview } from './overview.ts'
import { settings } from './settings.ts'

/** Puts a person's own overview on the app's Home, where it does not stand there already. */
export async function publishHome(bot: Bot, asker: Asker, { isEmpty = false } = {}): Promise<void> {
  const { client, user_id, team_id } = asker
  const [chosen, person, before] = await Promise.all([
    chooseProject(bot, asker),
    findPerson(bot, asker),
    findPersonHome(bot.db, asker),
  ])
  const reader = { zone: person.zone, now: bot.runtime.now() }
  const looked =
    'project' in chosen
      ? await overview(bot, chosen.project, reader)
      : 'unsure' in chosen
        ? { blocks: [section(chosen.unsure.length ? WHICH : NONE)] }
        : chosen
  const blocks: KnownBlock[] = [
    ...('failure' in looked
      ? [section(`:warning: ${report(bot, { asker, person, isLooking: true }, looked.failure)}`)]
      : looked.blocks),
    ...buttons(
      { action_id: 'schedule:open', label: 'Schedule a post' },
      { action_id: 'prompt:open', label: 'Create a prompt' },
      { action_id: 'logs:show', label: 'What happened' },
      ...(person.role === 'admin' ? [{ action_id: 'invite:open', label: 'Invite someone' }] : []),
    ),
    ...settings(chosen, person),
  ]
  const shown = createHash('sha256').update(JSON.stringify(blocks)).digest('base64url')
  if (shown === before?.shown && !isEmpty) return
  const view: HomeView = { type: 'home', blocks }
  await client.views.publish({ user_id, view })
  await setPersonHome(bot.db, { team_id, user_id, shown })
}

const WHICH = 'Choose below which project you work on.'
const NONE = "There is no project yet that the bot's token can see."
