import { DateTime } from 'luxon'
import { expect, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

/** Only bounds how long a broken test runs. */
export const MAX_WAIT = { timeout: 60_000, interval: 20 }

type SlackCall = ReturnType<Upnext['slack']['controls']['appPayloads']>[number]

export type DigestWorkspace = Upnext & {
  mara: Member
  /** While it is down, the scheduling service answers every request with status 500. */
  setServiceDown: (isDown: boolean) => void
  /** Moves the clocks of the bot and of Slack. */
  advance: (minutes: number) => void
  /** The time in Berlin so many minutes from now. */
  timeIn: (minutes: number) => string
  /** The bot's calls of a method of Slack's API. */
  calls: (method: string) => SlackCall[]
  /** The messages that Slack accepted for later. */
  scheduled: () => SlackCall[]
  waitForScheduled: (count?: number) => Promise<void>
  /** The digests in the channel. */
  posted: () => { text?: string; blocks?: { type: string }[] }[]
  waitForPosted: (count?: number) => Promise<void>
  /** All direct messages from the bot to mara. */
  directMessages: () => string
  waitForDirectMessage: (pattern: string | RegExp) => Promise<void>
  /** Sets up a daily digest that is due in so many minutes. Several times are in order. */
  setUpDigest: (...minutes: number[]) => Promise<void>
  /** Opens the form of the only digest. */
  editDigest: () => Promise<{ id: string; blocks: unknown[] }>
  /** Creates posts of the next day. Every third is for two platforms. */
  createPosts: (count: number) => Promise<void>
}

/** A workspace for tests of digests, in which `mara` works in #launch. */
export async function openDigestWorkspace(channel = 'launch'): Promise<DigestWorkspace> {
  let isServiceDown = false
  const upnext = await openUpnext({
    skipsUploadTime: true,
    disableRateLimits: true,
    api: {
      fetch: async (input, init) =>
        isServiceDown ? Response.json({}, { status: 500 }) : systemRuntime.fetch(input, init),
    },
  })
  const { slack, service, project } = upnext
  const mara = upnext.person('mara', channel)
  const timeIn = (minutes: number) =>
    DateTime.fromJSDate(slack.controls.now(), { zone: 'Europe/Berlin' }).plus({ minutes }).toFormat('HH:mm')
  const calls = (method: string) => slack.controls.appPayloads().filter(({ name }) => name === method)
  const scheduled = () => calls('chat.scheduleMessage').filter(({ problems }) => !problems.length)
  const posted = () =>
    (mara.state().messages[mara.channel] ?? []).filter(
      ({ text, isEphemeral }) => !isEphemeral && /^(Up next in|Digest for) Acme/.test(text ?? ''),
    )
  const directMessages = () =>
    Object.entries(mara.state().messages)
      .filter(([channel]) => channel.startsWith('D'))
      .flatMap(([, messages]) => messages.map(({ text }) => text))
      .join('\n')
  return {
    ...upnext,
    mara,
    setServiceDown(isDown) {
      isServiceDown = isDown
    },
    advance(minutes) {
      upnext.wait({ minutes })
      slack.controls.advanceClock({ seconds: minutes * 60 })
    },
    timeIn,
    calls,
    scheduled,
    waitForScheduled: (count = 1) => vi.waitFor(() => expect(scheduled()).toHaveLength(count), MAX_WAIT),
    posted,
    waitForPosted: (count = 1) => vi.waitFor(() => expect(posted()).toHaveLength(count), MAX_WAIT),
    directMessages,
    waitForDirectMessage: (pattern) => vi.waitFor(() => expect(directMessages()).toMatch(pattern), MAX_WAIT),
    async setUpDigest(...minutes) {
      const time = minutes.map(timeIn).join(' and ')
      await mara.run(`/upnext digest every day at ${time}`)
      await mara.hears(
        new RegExp(
          `Digests in <#C\\w+>\\*\\n[\\s\\S]*• \\*Acme\\*, set up by <@U\\w+>: Every day at ${time} Berlin, next .* Berlin.*, then .* Berlin`,
        ),
      )
    },
    async editDigest() {
      await mara.run('/upnext digest list')
      await mara.hears('Digests in')
      await mara.pressLast('digest:edit')
      return mara.form('Channel digest')
    },
    async createPosts(count) {
      const { token } = await service.addMember(project, 'EDITOR')
      const tomorrow = DateTime.fromJSDate(upnext.now(), { zone: 'utc' }).plus({ days: 1 })
      for (let number = 1; number <= count; number++) {
        const ScheduleDate = tomorrow.plus({ minutes: number }).toISO()
        const Platforms = number % 3 ? ['X'] : ['X', 'LINKEDIN']
        const json = { Content: `Post ${number}.`, Platforms, ScheduleDate, Timezone: 'UTC' }
        const { status } = await service.request('POST', `/api/v1/projects/${project}/posts`, { token, json })
        expect(status).toBeLessThan(300)
      }
    },
  }
}
