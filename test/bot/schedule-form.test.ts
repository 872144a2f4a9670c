import type { InputValues } from 'local-slack'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeEach(async () => {
  upnext = await openUpnext()
  mara = upnext.person('mara')
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const blocks = () => mara.state().views.at(-1)?.blocks ?? []
const blockOf = (block_id: string) => blocks().find((block) => block.block_id === block_id)
const shown = () => JSON.stringify(blocks())

async function openForm(words: string) {
  await mara.run(`/schedule-post ${words}`.trim())
  return await mara.form('Schedule a post')
}

const at = () => ({ view: mara.state().views.at(-1)?.id ?? '' })

function pressCheck(values: InputValues) {
  const [, action_id = ''] = /"action_id":"([^"]*:check:[^"]*)"/.exec(shown()) ?? []
  return mara.dispatchAction({ container: at(), block_id: 'note:ScheduleDate', action_id, values })
}

function pressEnterIn(block_id: string, value: string) {
  const values = mara.fill({ [block_id]: value })
  const [action_id = ''] = Object.keys(values[block_id] ?? {})
  return mara.dispatchAction({ container: at(), block_id, action_id, value: value, values })
}

describe('the line under When', () => {
  it('says how the words that it opens with are read', async () => {
    await openForm('Launch day! tomorrow at 9 on X')
    expect(JSON.stringify(blockOf('note:ScheduleDate'))).toMatch(/09:00 Berlin.*, in .* morning/)
  })

  it('follows its Check button, with all that was typed still there', async () => {
    await openForm('')
    const values = mara.fill({ Content: 'Hello', ScheduleDate: 'tomorrow 17:45', Platforms: ['LINKEDIN'] })
    await pressCheck(values)
    await vi.waitFor(() => expect(shown()).toMatch(/17:45 /))
    expect(shown()).toContain('LinkedIn: 2,995 left of 3,000')
    expect(shown()).toMatch(/"initial_value":"Hello"/)
  })

  it('asks where the words may mean two things, and says what to write', async () => {
    await openForm('')
    await pressEnterIn('ScheduleDate', 'tomorrow')
    await vi.waitFor(() => expect(JSON.stringify(blockOf('note:ScheduleDate'))).toMatch(/Write it as .* or /))
    const { id } = mara.state().views.at(-1) ?? { id: '' }
    const values = mara.fill({ Content: 'Hello', ScheduleDate: 'tomorrow', Platforms: ['X'] })
    const [, first = ''] = /"(\w{3} \d+ \w{3} \d{4}, \d\d:\d\d)/.exec(shown()) ?? []
    const action_id = 'chosen:schedule:instead:0'
    await mara.dispatchAction({ container: at(), block_id: 'instead:ScheduleDate', action_id, values })
    await vi.waitFor(() => expect(shown()).not.toContain('Write it as'))
    expect(shown()).toContain(`"initial_value":"${first}`)
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ done: true })
    await mara.hears(new RegExp(`Scheduled in Acme[\\s\\S]*Hello[\\s\\S]*${first}`))
  })
})

describe('the picker under When', () => {
  it('puts what is picked into words, which are read like any others', async () => {
    const { id } = await openForm('Launch day! on X')
    const picker = () => /"action_id":"(chosen:schedule:picker:\d*)"/.exec(shown())?.[1] ?? ''
    const value = String(Date.UTC(2027, 0, 15, 16, 30) / 1000)
    const values = mara.fill({ Content: 'Launch day, again!' })
    expect(
      await mara.dispatchAction({
        container: at(),
        block_id: 'instead:ScheduleDate',
        action_id: picker(),
        value,
        values,
      }),
    ).toEqual({ done: true })
    await vi.waitFor(() => expect(shown()).toContain('"initial_value":"Fri 15 Jan 2027, 17:30"'))
    expect(JSON.stringify(blockOf('note:ScheduleDate'))).toMatch(/Fri 15 Jan 2027, 17:30 Berlin/)
    expect(picker()).toBe(`chosen:schedule:picker:${value}`)
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Launch day, again![\s\S]*Fri 15 Jan 2027, 17:30 Berlin/)
  })

  it('shows what the words say', async () => {
    await openForm('Launch day! 15 January 2027 17:30 on X')
    expect(shown()).toContain(`"initial_date_time":${Date.UTC(2027, 0, 15, 16, 30) / 1000}`)
  })
})

describe('telling the channel', () => {
  const tell = { tell: { tell: ['yes'] } }

  it('is a choice; all see the post then, and who scheduled it', async () => {
    const { id } = await openForm('Launch <!channel> day! tomorrow 9am on X')
    expect(await mara.submitView({ view: id, values: tell })).toEqual({ done: true })
    const yuki = upnext.person('yuki')
    await vi.waitFor(() => expect(yuki.lastMessage()?.text).toMatch(/Scheduled in Acme: .* X$/))
    const said = JSON.stringify(yuki.lastMessage()?.blocks)
    // As it is: in plain text nobody is called by it.
    expect(said).toMatch(/"plain_text","text":"Launch <!channel> day!"[\s\S]*By <@U\w+>/)
    expect(said).toMatch(/09:00 Berlin \(<!date\^\d+\^/)
    expect(said).not.toMatch(/in \d+ (hours|days)/)
    expect(said).not.toContain('"button"')
  })

  it('is kept while the form is mended', async () => {
    const { id } = await openForm('tomorrow 9am')
    const values = mara.fill({ Content: 'a'.repeat(281), Platforms: ['X'] })
    await mara.submitView({ view: id, values: { ...values, ...tell } })
    expect(shown()).toContain('Send it off once more')
    await mara.submitView({ view: id, values: {} })
    await vi.waitFor(() => expect(upnext.person('yuki').lastMessage()?.text).toContain('Scheduled in Acme'))
  })

  it('can be done where the app is no member, too', async () => {
    const tomas = upnext.person('tomas', 'general')
    await tomas.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await tomas.form('Schedule a post')
    expect(await tomas.submitView({ view: id, values: tell })).toEqual({ done: true })
    const priya = upnext.person('priya', 'general')
    await vi.waitFor(() =>
      expect(
        priya
          .state()
          .messages[priya.channel]?.map(({ text }) => text)
          .join(),
      ).toContain('Scheduled in Acme'),
    )
    await tomas.hears('knows of it')
  })

  it('says where it cannot be done, and what to do', async () => {
    const tomas = upnext.person('tomas', 'general')
    await tomas.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await tomas.form('Schedule a post')
    // The way back to where it was asked is closed after half an hour.
    upnext.slack.controls.advanceClock({ seconds: 31 * 60 })
    expect(await tomas.submitView({ view: id, values: tell })).toEqual({ done: true })
    await tomas.hears(
      /was not told: this app is not in it. `\/invite` it there first.[\s\S]*Scheduled in Acme/,
    )
    // That Slack refused is how the bot knows.
    upnext.slack.controls.clearAppPayloads()
  })

  it('is not asked where there is no channel', async () => {
    await mara.runShortcut({ callback_id: 'schedule_post' })
    await mara.form('Schedule a post')
    expect(shown()).not.toContain('"tell"')
  })
})

describe('what comes next', () => {
  it('is offered when it is done', async () => {
    const { id } = await openForm('Launch day! tomorrow 9am on X')
    await mara.submitView({ view: id, values: {} })
    await mara.hears('Scheduled in Acme')
    await mara.pressLast('next:show')
    await mara.hears('Up next in Acme')
    await mara.run('/upnext')
    await mara.pressLast('schedule:open')
    await mara.form('Schedule a post')
  })
})

describe('a post without words', () => {
  it('needs something else instead', async () => {
    const { id } = await openForm('tomorrow 9am on Telegram')
    expect(await mara.submitView({ view: id, values: {} })).toEqual({
      errors: { Content: 'Write something, or choose a template, a prompt or a picture.' },
    })
    const values = mara.fill({ Media: 'https://acme.example/lamp.png' })
    expect(await mara.submitView({ view: id, values })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
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
    const values = mara.fill({ Content: 'a'.repeat(2201), Platforms: ['INSTAGRAM'] })
    expect(await mara.submitView({ view: id, values })).toEqual({
      errors: {
        Content: 'Instagram takes 2,200 characters, this is 1 too many.',
        Media: 'Instagram takes no post without a picture or a film.',
      },
    })
  })

  it('does not stand in the way of a draft', async () => {
    const { id } = await openForm('')
    const values = mara.fill({ Content: 'Later', Platforms: ['INSTAGRAM'], Status: 'DRAFT' })
    expect(await mara.submitView({ view: id, values })).toEqual({ done: true })
    await mara.hears('Saved as a draft in Acme')
  })

  it('is pointed out once where it is disputed; who sends it off again means it', async () => {
    const { id } = await openForm('tomorrow 9am')
    const values = mara.fill({ Content: 'a'.repeat(281), Platforms: ['X'] })
    await mara.submitView({ view: id, values })
    expect(shown()).toMatch(/X takes 280 characters, this is 1 too many; .* Send it off once more/)
    expect(await mara.submitView({ view: id, values })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
  })
})

describe('the same text within a day', () => {
  it('is pointed out once before it goes to the same platform again', async () => {
    const first = await openForm('Launch day! tomorrow 9am on X')
    expect(await mara.submitView({ view: first.id, values: {} })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')

    const elsewhere = await openForm('Launch day! tomorrow 10am on LinkedIn')
    expect(await mara.submitView({ view: elsewhere.id, values: {} })).toEqual({ done: true })

    const again = await openForm('Launch day! tomorrow 11am on X and LinkedIn')
    await mara.submitView({ view: again.id, values: {} })
    expect(shown()).toMatch(
      /The same text is there already for X: .*09:00.*for LinkedIn: .*10:00.*Send it off once more/,
    )
    expect(await mara.submitView({ view: again.id, values: {} })).toEqual({ done: true })
  })
})

describe('what is wrong', () => {
  it('is said all at once', async () => {
    const { id } = await openForm('')
    const values = mara.fill({ ScheduleDate: 'yesterday 9am', Platforms: ['INSTAGRAM'] })
    expect(await mara.submitView({ view: id, values })).toEqual({
      errors: {
        Content: 'Write something, or choose a template, a prompt or a picture.',
        ScheduleDate: expect.stringContaining('That has passed.'),
        Media: 'Instagram takes no post without a picture or a film.',
      },
    })
  })

  it('is said where there is no time, with what else can be done', async () => {
    const { id } = await openForm('on X')
    expect(await mara.submitView({ view: id, values: mara.fill({ Content: 'Hello' }) })).toEqual({
      errors: { ScheduleDate: 'Say when, or save it as a draft.' },
    })
  })

  it('is pointed out once, though the words for it follow the time', async () => {
    const first = await openForm('Launch day! tomorrow 9am on X')
    await mara.submitView({ view: first.id, values: {} })
    await mara.hears('Scheduled in Acme')
    const again = await openForm('Launch day! tomorrow 10am on X')
    await mara.submitView({ view: again.id, values: {} })
    expect(shown()).toContain('The same text is there already')
    upnext.wait({ minutes: 3 })
    expect(await mara.submitView({ view: again.id, values: {} })).toEqual({ done: true })
    expect(mara.state().views).toEqual([])
  })

  it('may be a place in a template that nobody has filled', async () => {
    const { id } = await openForm('tomorrow 9am on X')
    const values = mara.fill({ Content: '{name} is here: {notes}.' })
    await mara.submitView({ view: id, values })
    expect(shown()).toContain('The text still has {name}, {notes} in it.')
  })
})

describe('a time that may be a part of the text', () => {
  it('is pointed out as the form opens', async () => {
    await openForm('Coffee tasting, tomorrow 10am on LinkedIn')
    expect(shown()).toMatch(/\\"tomorrow 10am\\" stands under When and in the text/)
    expect(JSON.stringify(blockOf('ScheduleDate'))).toContain('"tomorrow 10am"')
  })
})

describe('the button', () => {
  it('says what it does', async () => {
    const { submit } = await openForm('Hello! on X')
    expect(submit?.text).toBe('Schedule')
    const values = mara.fill({ Status: 'DRAFT' })
    const [action_id = ''] = Object.keys(values.Status ?? {})
    await mara.dispatchAction({ container: at(), block_id: 'Status', action_id, value: 'DRAFT', values })
    await vi.waitFor(() => expect(mara.state().views.at(-1)?.submit?.text).toBe('Save the draft'))
  })
})
