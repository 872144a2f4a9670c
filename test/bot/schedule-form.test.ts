import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AllTyped } from '../../src/local-slack/blocks/state.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeEach(async () => {
  upnext = await openUpnext()
  mara = upnext.person('mara')
})
afterEach(async () => {
  expect(upnext.slack.control.sent().flatMap(({ faults }) => faults)).toEqual([])
  await upnext.close()
})

const blocks = () => mara.sees().views.at(-1)?.blocks ?? []
const blockOf = (block_id: string) => blocks().find((block) => block.block_id === block_id)
const shown = () => JSON.stringify(blocks())

async function openForm(words: string) {
  await mara.run(`/schedule-post ${words}`.trim())
  return await mara.form('Schedule a post')
}

const at = () => ({ view: mara.sees().views.at(-1)?.id ?? '' })

function pressCheck(typed: AllTyped) {
  const [, action_id = ''] = /"action_id":"([^"]*:check:[^"]*)"/.exec(shown()) ?? []
  return mara.press({ at: at(), block_id: 'note:ScheduleDate', action_id, typed })
}

function pressEnterIn(block_id: string, value: string) {
  const typed = mara.fill({ [block_id]: value })
  const [action_id = ''] = Object.keys(typed[block_id] ?? {})
  return mara.press({ at: at(), block_id, action_id, chosen: value, typed })
}

describe('the line under When', () => {
  it('says how the words that it opens with are read', async () => {
    await openForm('Launch day! tomorrow at 9 on X')
    expect(JSON.stringify(blockOf('note:ScheduleDate'))).toMatch(/09:00 Berlin.*, in .* morning/)
  })

  it('follows its Check button, with all that was typed still there', async () => {
    await openForm('')
    const typed = mara.fill({ Content: 'Hello', ScheduleDate: 'tomorrow 17:45', Platforms: ['LINKEDIN'] })
    await pressCheck(typed)
    await vi.waitFor(() => expect(shown()).toMatch(/17:45 /))
    expect(shown()).toContain('LinkedIn: 2,995 left of 3,000')
    expect(shown()).toMatch(/"initial_value":"Hello"/)
  })

  it('asks where the words may mean two things, and says what to write', async () => {
    await openForm('')
    await pressEnterIn('ScheduleDate', 'tomorrow')
    await vi.waitFor(() => expect(JSON.stringify(blockOf('note:ScheduleDate'))).toMatch(/Write it as .* or /))
    const { id } = mara.sees().views.at(-1) ?? { id: '' }
    const typed = mara.fill({ Content: 'Hello', ScheduleDate: 'tomorrow', Platforms: ['X'] })
    const [, first = ''] = /"(\w{3} \d+ \w{3} \d{4}, \d\d:\d\d)/.exec(shown()) ?? []
    const action_id = 'chosen:schedule:instead:0'
    await mara.press({ at: at(), block_id: 'instead:ScheduleDate', action_id, typed })
    await vi.waitFor(() => expect(shown()).not.toContain('Write it as'))
    expect(shown()).toContain(`"initial_value":"${first}`)
    expect(await mara.submitView({ view: id, typed: {} })).toEqual({ done: true })
    await mara.hears(new RegExp(`Scheduled in Acme[\\s\\S]*Hello[\\s\\S]*${first}`))
  })
})

describe('a text that is longer than its field', () => {
  it('is cut, and that is said', async () => {
    await openForm('a'.repeat(3007))
    expect(shown()).toContain('Content holds 3000 characters: the last 7 of what was given did not fit')
  })

  it('is whole where it just fits, and nothing is said', async () => {
    await openForm('a'.repeat(3000))
    expect(shown()).toContain('a'.repeat(3000))
    expect(shown()).not.toContain('did not fit')
  })
})

describe('what platforms take', () => {
  it('stands under the text as soon as they are chosen', async () => {
    await openForm('Hello! tomorrow 9am on X')
    expect(shown()).toContain('X: 274 left of 280')
  })

  it('stands in the way where it is certain, under the fields that it concerns', async () => {
    const { id } = await openForm('tomorrow 9am')
    const typed = mara.fill({ Content: 'a'.repeat(2201), Platforms: ['INSTAGRAM'] })
    expect(await mara.submitView({ view: id, typed })).toEqual({
      errors: {
        Content: 'Instagram takes 2,200 characters, this is 1 too many.',
        Media: 'Instagram takes no post without a picture or a film.',
      },
    })
  })

  it('does not stand in the way of a draft', async () => {
    const { id } = await openForm('')
    const typed = mara.fill({ Content: 'Later', Platforms: ['INSTAGRAM'], Status: 'DRAFT' })
    expect(await mara.submitView({ view: id, typed })).toEqual({ done: true })
    await mara.hears('Saved as a draft in Acme')
  })

  it('is pointed out once where it is disputed; who sends it off again means it', async () => {
    const { id } = await openForm('tomorrow 9am')
    const typed = mara.fill({ Content: 'a'.repeat(281), Platforms: ['X'] })
    await mara.submitView({ view: id, typed })
    expect(shown()).toMatch(/X takes 280 characters, this is 1 too many; .* Send it off once more/)
    expect(await mara.submitView({ view: id, typed })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
  })
})

describe('the same text within a day', () => {
  it('is pointed out once before it goes to the same platform again', async () => {
    const first = await openForm('Launch day! tomorrow 9am on X')
    expect(await mara.submitView({ view: first.id, typed: {} })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')

    const elsewhere = await openForm('Launch day! tomorrow 10am on LinkedIn')
    expect(await mara.submitView({ view: elsewhere.id, typed: {} })).toEqual({ done: true })

    const again = await openForm('Launch day! tomorrow 11am on X and LinkedIn')
    await mara.submitView({ view: again.id, typed: {} })
    expect(shown()).toMatch(
      /The same text is there already for X: .*09:00.*for LinkedIn: .*10:00.*Send it off once more/,
    )
    expect(await mara.submitView({ view: again.id, typed: {} })).toEqual({ done: true })
  })
})
