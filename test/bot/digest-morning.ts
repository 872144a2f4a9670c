import { DateTime } from 'luxon'
import { expect, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

export const PATIENCE = { timeout: 15_000, interval: 100 }

/** Long enough for whatever is due to be done, several times over. */
export const rounds = () => new Promise((resolve) => setTimeout(resolve, 2500))

export type Morning = Upnext & {
  mara: Member
  /** Whether the scheduling service is away. */
  service_is: (how: 'there' | 'away') => void
  /** Time passes for the bot and for Slack alike. */
  pass: (minutes: number) => void
  /** So many minutes from now, as the clock of Berlin has it. */
  clockIn: (minutes: number) => string
  calls: (method: string) => ReturnType<Upnext['slack']['controls']['appPayloads']>
  /** What Slack took for later. */
  scheduled: () => ReturnType<Upnext['slack']['controls']['appPayloads']>
  /** The digests that the channel has. */
  posted: () => { text?: string; blocks?: { type: string }[] }[]
  /** All that mara was told by the app itself. */
  told: () => string
  /** Has mara set one up in words, for so many minutes from now. */
  setUp: (minutes: number) => Promise<void>
  handedOver: (times?: number) => Promise<void>
  /** Posts of the coming days, as many as that; every third on two platforms. */
  schedulePosts: (count: number) => Promise<void>
}

/** A workspace in which digests are due. */
export async function openMorning(): Promise<Morning> {
  let isAway = false
  const upnext = await openUpnext({
    isUnlimited: true,
    api: {
      fetch: (input, init) =>
        isAway ? Promise.resolve(Response.json({}, { status: 500 })) : fetch(input, init),
    },
  })
  const { slack, service, project } = upnext
  const mara = upnext.person('mara')
  const clockIn = (minutes: number) =>
    DateTime.fromJSDate(slack.controls.now(), { zone: 'Europe/Berlin' }).plus({ minutes }).toFormat('HH:mm')
  const calls = (method: string) => slack.controls.appPayloads().filter(({ name }) => name === method)
  const scheduled = () => calls('chat.scheduleMessage').filter(({ problems }) => !problems.length)
  return {
    ...upnext,
    mara,
    service_is: (how) => {
      isAway = how === 'away'
    },
    pass(minutes) {
      upnext.wait({ minutes })
      slack.controls.advanceClock({ seconds: minutes * 60 })
    },
    clockIn,
    calls,
    scheduled,
    posted: () =>
      (mara.state().messages[mara.channel] ?? []).filter(
        ({ text, isEphemeral }) => !isEphemeral && /^(Up next in|Digest of) Acme/.test(text ?? ''),
      ),
    told: () =>
      Object.entries(mara.state().messages)
        .filter(([channel]) => channel.startsWith('D'))
        .flatMap(([, messages]) => messages.map(({ text }) => text))
        .join('\n'),
    async setUp(minutes) {
      await mara.run(`/upnext digest every day at ${clockIn(minutes)}`)
      await mara.hears(
        /gets:\n• \*Acme\*: Every day at \d\d:\d\d Berlin, next .* Berlin .*, then .* Berlin .*\(set by <@U\w+>\)/,
      )
    },
    handedOver: (times = 1) => vi.waitFor(() => expect(scheduled()).toHaveLength(times), PATIENCE),
    async schedulePosts(count) {
      const { token } = await service.addMember(project, 'EDITOR')
      for (let number = 1; number <= count; number++) {
        const ScheduleDate = DateTime.utc().plus({ days: 1, minutes: number }).toISO()
        const Platforms = number % 3 ? ['X'] : ['X', 'LINKEDIN']
        const json = { Content: `Post ${number}.`, Platforms, ScheduleDate, Timezone: 'UTC' }
        const { status } = await service.request('POST', `/api/v1/projects/${project}/posts`, { token, json })
        expect(status).toBeLessThan(300)
      }
    },
  }
}
