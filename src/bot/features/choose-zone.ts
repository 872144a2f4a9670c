import { readZones, searchZones } from '../../time/zones.ts'
import type { Feature } from '../feature.ts'
import { publishHome } from '../home/home.ts'
import { escapeText, MAX_OPTIONS, textReply } from '../message-blocks.ts'
import { loadProfile } from '../people/profile.ts'
import { saveUserSettings } from '../people/user-settings-store.ts'
import { VIEW_ACCESS } from '../permissions.ts'

export const chooseZone: Feature = {
  verb: 'zone',
  usage: '[Berlin, or slack]',
  help: 'Show or set your time zone. `slack` uses the one from your Slack profile.',
  access: VIEW_ACCESS,
  run: async ({ bot, actor, profile, text, reply }) => {
    const typed = text.trim()
    if (!typed)
      return reply(
        textReply(
          `Your time zone is *${profile.zone}*. Change it with \`/upnext zone Lisbon\`, for example.`,
        ),
      )
    if (/^slack$/i.test(typed)) {
      await saveUserSettings(bot.db, actor, { zone: null })
    } else {
      const [zone, ...others] = readZones(typed)
      if (!zone)
        return reply(
          textReply(
            `I don't know the time zone "${escapeText(typed)}". Try a city, or a name like \`Europe/Berlin\`.`,
          ),
        )
      if (others.length) {
        const names = [zone, ...others].map((name) => `\`${name}\``).join(' or ')
        return reply(textReply(`"${escapeText(typed)}" could be ${names}. Which one?`))
      }
      await saveUserSettings(bot.db, actor, { zone })
    }
    const { zone } = await loadProfile(bot, actor)
    await reply(textReply(`Your time zone is now *${zone}*.`))
    await publishHome(bot, actor)
  },
  // The Home tab has this menu and button.
  actions: {
    'zone:choose': {
      access: VIEW_ACCESS,
      run: async ({ bot, actor, text }) => {
        await saveUserSettings(bot.db, actor, { zone: text })
        await publishHome(bot, actor)
      },
    },
    'zone:forget': {
      access: VIEW_ACCESS,
      run: async ({ bot, actor }) => {
        await saveUserSettings(bot.db, actor, { zone: null })
        await publishHome(bot, actor)
      },
    },
  },
  options: {
    'zone:choose': {
      access: VIEW_ACCESS,
      search: async (_bot, query) =>
        searchZones(query)
          .slice(0, MAX_OPTIONS)
          .map((zone) => ({ value: zone, label: zone })),
    },
  },
}
