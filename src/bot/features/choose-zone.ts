import { forgetPersonZone, setPersonZone } from '../../store/person-zones.ts'
import { readZones, searchZones } from '../../time/zones.ts'
import { findPerson } from '../asker.ts'
import type { Feature } from '../feature.ts'
import { publishHome } from '../home/home.ts'
import { escaped, said } from '../reply.ts'

const MOST_OPTIONS = 100

export const chooseZone: Feature = {
  verb: 'zone',
  usage: '[Berlin, or slack]',
  help: "Says in which time zone you write and read here, or shows it; `slack` goes back to Slack's.",
  run: async ({ bot, asker, words, reply }) => {
    const say = (text: string) => reply(said(text))
    const asked = words.trim()
    if (!asked) {
      const { zone } = await findPerson(bot, asker)
      return say(`You write and read times of *${zone}* here. \`/upnext zone Lisbon\` changes that.`)
    }
    const [zone, ...others] = /^slack$/i.test(asked) ? [] : readZones(asked)
    if (others.length)
      return say(
        `"${escaped(asked)}" may be ${[zone, ...others].map((one) => `\`${one}\``).join(' or ')}. Write one of these.`,
      )
    if (zone) await setPersonZone(bot.db, asker, zone)
    else if (/^slack$/i.test(asked)) await forgetPersonZone(bot.db, asker)
    else
      return say(
        `There is no time zone "${escaped(asked)}". Write a city, or a name such as \`Europe/Berlin\`.`,
      )
    const person = await findPerson(bot, asker)
    await say(`You write and read times of *${person.zone}* here now.`)
    await publishHome(bot, asker)
  },
  // On the Home.
  actions: {
    'zone:choose': async ({ bot, asker, words }) => {
      await setPersonZone(bot.db, asker, words)
      await publishHome(bot, asker)
    },
    'zone:forget': async ({ bot, asker }) => {
      await forgetPersonZone(bot.db, asker)
      await publishHome(bot, asker)
    },
  },
  options: {
    'zone:choose': async (_bot, typed) =>
      searchZones(typed)
        .slice(0, MOST_OPTIONS)
        .map((zone) => ({ value: zone, label: zone })),
  },
}
