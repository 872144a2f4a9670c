import { readZones, searchZones } from '../../../time/read-zones.ts'
import type { Feature, Request } from '../../slack/feature.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import { VIEW_ACCESS } from '../../slack/permissions.ts'
import { loadProfile } from '../../slack/profile.ts'
import { saveUserSettings } from '../../slack/settings-store.ts'

export const chooseZone: Feature = {
  verb: 'zone',
  usage: '[Berlin, or slack]',
  help: 'Show or set your time zone. `slack` uses the one from your Slack profile.',
  access: VIEW_ACCESS,
  run: async (request) => {
    const { bot, actor, reply } = request
    const problem = await changeZone(request)
    if (problem) return reply(textReply(problem))
    const { zone } = await loadProfile(bot, actor)
    await reply(textReply(`Your time zone is now *${zone}*.`))
    await bot.refreshHome(actor)
  },
  // The menu and button for these are on the Home tab.
  actions: {
    'zone:choose': {
      access: VIEW_ACCESS,
      run: async ({ bot, actor, text }) => {
        // The menu only offers time zones, some by older names. But a request can be forged.
        const [zone] = readZones(text)
        if (!zone) return
        await saveUserSettings(bot, actor, { zone })
        await bot.refreshHome(actor)
      },
    },
    'zone:forget': {
      access: VIEW_ACCESS,
      run: async ({ bot, actor }) => {
        await saveUserSettings(bot, actor, { zone: null })
        await bot.refreshHome(actor)
      },
    },
  },
  options: {
    'zone:choose': {
      access: VIEW_ACCESS,
      search: async ({ query }) => searchZones(query).map((zone) => ({ value: zone, label: zone })),
    },
  },
}

/** Returns a message for the user if the zone wasn't changed, otherwise undefined. */
async function changeZone({ bot, actor, profile, text }: Request): Promise<string | undefined> {
  const typed = text.trim()
  if (!typed)
    return `Your time zone is *${profile.zone}*. Change it with \`/upnext zone Lisbon\`, for example.`
  const isReset = /^slack$/i.test(typed)
  const [zone = '', ...others] = isReset ? [] : readZones(typed)
  if (!zone && !isReset)
    return `Upnext doesn't know the time zone "${escapeText(typed)}". Try a city, or a name like \`Europe/Berlin\`.`
  if (others.length) {
    const names = [zone, ...others].map((name) => `\`${name}\``).join(' or ')
    return `"${escapeText(typed)}" could be ${names}. Type the full name, as in \`/upnext zone ${zone}\`.`
  }
  await saveUserSettings(bot, actor, { zone: isReset ? null : zone })
  return undefined
}
