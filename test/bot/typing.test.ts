import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const PEOPLE = Array.from({ length: 20 }, (_, index) => `writer${index}`)
const KEY_INTERVAL_MS = 1000 / 6
const WORDS = 'first monday of december at 17:45'

let upnext: Upnext
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upnext-typing-'))
  const seed = join(folder, 'seed.yml')
  const users = PEOPLE.map(
    (handle) => `  - { handle: ${handle}, name: ${handle}, role: member, tz: Europe/Berlin }`,
  )
  const channel = `  - { name: team, members: [${PEOPLE.join(', ')}], app: true }`
  await writeFile(
    seed,
    ['team: { name: Typing, domain: typing }', 'users:', ...users, 'channels:', channel].join('\n'),
  )
  upnext = await openUpnext({ seed, relaxTimeouts: true, typesInRealTime: true })
})
afterAll(async () => {
  await upnext.close()
  await rm(folder, { recursive: true, force: true })
})

const topView = (member: Member) => member.state().views.at(-1)
const elementOf = (member: Member, name: string) => {
  const blocks: { block_id?: string; element?: { action_id?: string } }[] = JSON.parse(
    JSON.stringify(topView(member)?.blocks ?? []),
  )
  return blocks.find(({ block_id }) => block_id === name)?.element
}

const openPost = async (member: Member) => {
  await member.run('/schedule-post on X')
  await member.form('Schedule a post')
}

/** Types a date while the text of the post stays in the form, and returns what Slack shows in the end. */
async function typeDate(member: Member): Promise<string> {
  const actionId = elementOf(member, 'ScheduleDate')?.action_id ?? ''
  const container = { view: topView(member)?.id ?? '' }
  for (let length = 1; length <= WORDS.length; length++) {
    const value = WORDS.slice(0, length)
    const values = member.fill({ Content: `The post of ${member.handle}`, ScheduleDate: value })
    void member.dispatchAction({ container, block_id: 'ScheduleDate', action_id: actionId, value, values })
    await setTimeout(KEY_INTERVAL_MS)
  }
  await vi.waitFor(() => expect(JSON.stringify(topView(member))).toContain('Mon 7 Dec, 17:45 Berlin'), {
    timeout: 60_000,
    interval: 50,
  })
  // Slack keeps what is typed only under the same action id.
  expect(elementOf(member, 'ScheduleDate')?.action_id).toBe(actionId)
  return JSON.stringify(topView(member)?.blocks)
}

it('shows a date although its author goes on typing in another field', async () => {
  const member = upnext.person('writer0', 'team')
  await openPost(member)
  await member.showMore()
  const container = { view: topView(member)?.id ?? '' }
  const type = (block_id: string, value: string) =>
    member.dispatchAction({
      container,
      block_id,
      action_id: elementOf(member, block_id)?.action_id ?? '',
      value,
      values: member.fill({ ScheduleDate: WORDS, [block_id]: value }),
    })
  const typed = [type('ScheduleDate', WORDS)]
  await setTimeout(KEY_INTERVAL_MS)
  typed.push(type('AltText', 'A lamp'))
  await Promise.all(typed)
  await vi.waitFor(() => expect(JSON.stringify(topView(member))).toContain('Mon 7 Dec, 17:45 Berlin'), {
    timeout: 60_000,
    interval: 50,
  })
  await member.closeView(container)
})

it('shows the date of the last key although the update for an earlier key is still under way', async () => {
  const member = upnext.person('writer1', 'team')
  await openPost(member)
  const container = { view: topView(member)?.id ?? '' }
  const type = (value: string) =>
    member.dispatchAction({
      container,
      block_id: 'ScheduleDate',
      action_id: elementOf(member, 'ScheduleDate')?.action_id ?? '',
      value,
      values: member.fill({ ScheduleDate: value }),
    })
  const slow = { delay_ms: 2000, response_delay_ms: 1500, times: 1 }
  upnext.slack.controls.injectFault({ method: 'views.update', ...slow })
  const typed = [type(WORDS.slice(0, -1))]
  // After the bot has sent its update, and before Slack has made it.
  await setTimeout(1200)
  typed.push(type(WORDS))
  await Promise.all(typed)
  await vi.waitFor(() => expect(JSON.stringify(topView(member))).toContain('Mon 7 Dec, 17:45 Berlin'), {
    timeout: 60_000,
    interval: 50,
  })
  await member.closeView(container)
})

it("keeps every character of twenty people who type six keys a second, and stays below Slack's limits", async () => {
  const members = PEOPLE.map((handle) => upnext.person(handle, 'team'))
  // On a busy machine, twenty at a time wouldn't open within Slack's three seconds.
  for (const member of members) await openPost(member)
  const forms = await Promise.all(members.map(typeDate))
  for (const [index, form] of forms.entries()) {
    expect(form).toContain(`"initial_value":"The post of ${PEOPLE[index]}"`)
    expect(form).toContain(`"initial_value":"${WORDS}"`)
  }
  const calls = upnext.slack.controls.appPayloads()
  expect(calls.filter(({ problems }) => problems.includes('ratelimited'))).toEqual([])
  expect(calls.filter(({ name }) => name === 'views.update').length).toBeLessThan(
    PEOPLE.length * WORDS.length,
  )
})
