import type { InputValues } from 'local-slack'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterEach(async () => {
  for (const { id } of mara.state().views) await mara.closeView({ view: id })
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 60_000 })

const blocks = () => mara.state().views.at(-1)?.blocks ?? []
const blockText = (block_id: string) => JSON.stringify(blocks().find((block) => block.block_id === block_id))
const formText = () => JSON.stringify(blocks())
const openView = () => ({ view: mara.state().views.at(-1)?.id ?? '' })

async function openForm(text: string, member = mara) {
  await member.run(`/schedule-post ${text}`.trim())
  return member.form('Schedule a post')
}

function typeInto(block_id: string, value: string, others: InputValues = {}) {
  const typed = { ...others, ...mara.fill({ [block_id]: value }) }
  const [action_id = ''] = Object.keys(typed[block_id] ?? {})
  return mara.dispatchAction({ container: openView(), block_id, action_id, value: value, values: typed })
}

describe('the note under When', () => {
  it('explains how the prefilled words are read', async () => {
    await openForm('Good morning! tomorrow at 9 on X')
    expect(blockText('note:ScheduleDate')).toMatch(/09:00 Berlin.*; assuming 9:00 in the morning/)
  })

  it('changes while the user types, and the form keeps what was typed', async () => {
    await openForm('')
    const others = mara.fill({ Content: 'Hello', Platforms: ['LINKEDIN'] })
    await typeInto('ScheduleDate', 'tomorrow 17:45', others)
    await waitFor(() => expect(formText()).toMatch(/17:45 /))
    expect(formText()).toContain('LinkedIn: 2,995 left')
    expect(formText()).toMatch(/"initial_value":"Hello"/)
  })

  it('asks about words with two meanings, and offers both', async () => {
    const { id } = await openForm('')
    await typeInto('ScheduleDate', 'tomorrow')
    await waitFor(() => expect(blockText('note:ScheduleDate')).toMatch(/Try \\".*\\" or \\".*\\"/))
    const typed = mara.fill({ Content: 'Hello', ScheduleDate: 'tomorrow', Platforms: ['X'] })
    const [, firstAlternative = ''] = /"(\w{3} \d+ \w{3} \d{4}, \d\d:\d\d)/.exec(formText()) ?? []
    await mara.dispatchAction({
      container: openView(),
      block_id: 'alternatives:ScheduleDate',
      action_id: 'change:schedule:alternatives:0',
      values: typed,
    })
    await waitFor(() => expect(formText()).toContain(`"initial_value":"${firstAlternative}`))
    expect(blockText('note:ScheduleDate')).not.toContain('Try')
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ done: true })
    await mara.hears(
      new RegExp(`Scheduled in Acme[\\s\\S]*${firstAlternative.replace(/ \d{4}/, '')}[\\s\\S]*Hello`),
    )
  })
})

describe('the date picker under When', () => {
  const pickerActionId = () => /"action_id":"(change:schedule:picker:\d*)"/.exec(formText())?.[1] ?? ''

  it('fills the field with words for the picked time', async () => {
    const { id } = await openForm('Good day! on X')
    const chosen = String(Date.UTC(2027, 0, 15, 16, 30) / 1000)
    const typed = mara.fill({ Content: 'Another good day!' })
    const block_id = 'alternatives:ScheduleDate'
    expect(
      await mara.dispatchAction({
        container: openView(),
        block_id,
        action_id: pickerActionId(),
        value: chosen,
        values: typed,
      }),
    ).toEqual({ done: true })
    await waitFor(() => expect(formText()).toContain('"initial_value":"Fri 15 Jan 2027, 17:30"'))
    expect(blockText('note:ScheduleDate')).toMatch(/Fri 15 Jan 2027, 17:30 Berlin/)
    expect(pickerActionId()).toBe(`change:schedule:picker:${chosen}`)
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Fri 15 Jan 2027, 17:30 Berlin[\s\S]*Another good day!/)
  })

  it('shows the time that the words in the field mean', async () => {
    await openForm('Good day! 15 January 2027 17:30 on X')
    expect(formText()).toContain(`"initial_date_time":${Date.UTC(2027, 0, 15, 16, 30) / 1000}`)
  })
})

describe('the Notify checkbox', () => {
  const notify = { notify: { notify: ['yes'] } }

  it('shows the post and its author to the whole channel', async () => {
    const { id } = await openForm('Hello <!channel>! tomorrow 9am on X')
    expect(await mara.submitView({ view: id, values: notify })).toEqual({ done: true })
    const yuki = upnext.person('yuki')
    await waitFor(() => expect(yuki.lastMessage()?.text).toMatch(/Scheduled in Acme: .* X$/))
    const message = JSON.stringify(yuki.lastMessage()?.blocks)
    // In plain text, a mention notifies nobody.
    expect(message).toMatch(/"plain_text","text":"Hello <!channel>!"[\s\S]*By <@U\w+>/)
    expect(message).toMatch(/09:00 Berlin \(<!date\^\d+\^/)
    expect(message).not.toMatch(/in \d+ (hours|days)/)
    expect(message).not.toContain('"button"')
  })

  it('stays checked while the user corrects the form', async () => {
    const { id } = await openForm('tomorrow 9am')
    const typed = mara.fill({ Content: 'a'.repeat(281), Platforms: ['X'] })
    await mara.submitView({ view: id, values: { ...typed, ...notify } })
    await mara.confirm('Schedule anyway')
    await waitFor(() =>
      expect(JSON.stringify(upnext.person('yuki').lastMessage())).toContain('a'.repeat(281)),
    )
  })

  it('is missing in a form without a channel', async () => {
    await mara.runShortcut({ callback_id: 'schedule_post' })
    await mara.form('Schedule a post')
    expect(formText()).not.toContain('"notify"')
  })

  it('works in a channel that the app has not joined', async () => {
    const tomas = upnext.person('tomas', 'general')
    const { id } = await openForm('Hello, general! tomorrow 9am on X', tomas)
    expect(await tomas.submitView({ view: id, values: notify })).toEqual({ done: true })
    const priya = upnext.person('priya', 'general')
    await waitFor(() => {
      const texts = priya.state().messages[priya.channel]?.map(({ text }) => text)
      expect(texts?.join()).toContain('Scheduled in Acme')
    })
    await tomas.hears(/^Posted in <#C\w+>\./)
  })

  it('explains why the channel could not be notified, and what to do', async () => {
    const tomas = upnext.person('tomas', 'general')
    const { id } = await openForm('Hello again, general! tomorrow 9am on X', tomas)
    // The command's response URL expires after half an hour.
    upnext.slack.controls.advanceClock({ seconds: 31 * 60 })
    expect(await tomas.submitView({ view: id, values: notify })).toEqual({ done: true })
    await tomas.hears(
      /Couldn't post in <#C\w+>: Upnext isn't in the channel\. Type "\/invite @Upnext" there\.[\s\S]*Scheduled in Acme/,
    )
    // Slack's refusal is part of this test.
    upnext.slack.controls.clearAppPayloads()
  })
})

describe('the message after scheduling', () => {
  it('has buttons for the next steps', async () => {
    const { id } = await openForm('First of all! tomorrow 8am on X')
    await mara.submitView({ view: id, values: {} })
    await mara.hears(/Scheduled in Acme[\s\S]*First of all!/)
    await mara.pressLast('edit:ask')
    await mara.form('Edit a post')
    await mara.pressLast('reschedule:ask')
    await mara.form('Reschedule a post')
    await mara.pressLast('cancel:ask')
    await mara.hears('Cancel this post?')
  })
})

describe('a form without text', () => {
  const NO_CONTENT = 'Enter some text, or pick a template, a prompt or media.'

  it('needs a template, a prompt or media', async () => {
    const { id } = await openForm('tomorrow 9am on Telegram')
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ errors: { Content: NO_CONTENT } })
    const typed = mara.fill({ Media: 'https://acme.example/lamp.png' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Telegram/)
  })

  it('shows all its errors together', async () => {
    const { id } = await openForm('')
    const typed = mara.fill({ ScheduleDate: 'yesterday 9am', Platforms: ['INSTAGRAM'] })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: {
        Content: NO_CONTENT,
        ScheduleDate: 'That time is in the past. Try "tomorrow 9am".',
        Media: 'Instagram posts need an image or video.',
      },
    })
  })
})

/** Then the form doesn't require a date. */
const chooseDraft = async (values: InputValues) => {
  const status = blocks().find(({ block_id }) => block_id === 'Status') as never as {
    element: { action_id: string }
  }
  await mara.dispatchAction({
    container: openView(),
    block_id: 'Status',
    action_id: status.element.action_id,
    value: 'DRAFT',
    values: { ...values, ...mara.fill({ Status: 'DRAFT' }) },
  })
  await waitFor(() => expect(blockText('ScheduleDate')).toContain('"optional":true'))
}

describe('a form without a date', () => {
  it('can only be saved as a draft', async () => {
    const { id } = await openForm('on X')
    const typed = mara.fill({ Content: 'Hello' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: { ScheduleDate: 'Please complete this required field.' },
    })
    await chooseDraft(typed)
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ done: true })
    await mara.hears('Saved as a draft in Acme')
  })
})

describe('long text', () => {
  it('is shortened if it is too long for its field, and the form says so', async () => {
    await openForm('a'.repeat(3007))
    expect(formText()).toContain("Text was shortened to 3000 characters. The last 7 didn't fit.")
  })

  it('is filled in without a message if it just fits into its field', async () => {
    await openForm('a'.repeat(3000))
    expect(formText()).toContain('a'.repeat(3000))
    expect(formText()).not.toContain('shortened')
  })
})

describe('platform limits', () => {
  it("shows a platform's limits under the text when the platform is chosen", async () => {
    await openForm('Hello! tomorrow 9am on X')
    expect(formText()).toContain('X: 274 left')
  })

  it('shows errors under the fields of a post that its platform would certainly reject', async () => {
    const { id } = await openForm('tomorrow 9am')
    const typed = mara.fill({ Content: 'a'.repeat(2201), Platforms: ['INSTAGRAM'] })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: {
        Content: 'Instagram: 1 over the 2,200 limit. Shorten the text.',
        Media: 'Instagram posts need an image or video.',
      },
    })
  })

  it('lets a draft exceed the limits of its platform', async () => {
    const { id } = await openForm('')
    await chooseDraft(mara.fill({ Content: 'Later', Platforms: ['INSTAGRAM'] }))
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ done: true })
    await mara.hears('Saved as a draft in Acme')
  })

  it('warns of a post that its platform may reject, and lets the user confirm', async () => {
    const { id } = await openForm('tomorrow 9am')
    const typed = mara.fill({ Content: 'b'.repeat(281), Platforms: ['X'] })
    await mara.submitView({ view: id, values: typed })
    expect(formText()).toMatch(
      /:warning: X: 1 over the 280 limit\..*b{199}….* · X.*\*When\*: Sat 21 Nov, 09:00 Berlin/,
    )
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
    await mara.hears(
      /Scheduled in Acme[\s\S]*b{281}[\s\S]*You confirmed this warning: X: 1 over the 280 limit/,
    )
  })
})

describe('the warning about a duplicate', () => {
  it('appears for text that is already scheduled that day, and can be confirmed', async () => {
    const first = await openForm('Launch day! tomorrow 9am on X')
    expect(await mara.submitView({ view: first.id, values: {} })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*09:00/)

    const other = await openForm('Launch day! tomorrow 10am on LinkedIn')
    expect(await mara.submitView({ view: other.id, values: {} })).toEqual({ done: true })

    const both = await openForm('Launch day! tomorrow 11am on X and LinkedIn')
    await mara.submitView({ view: both.id, values: {} })
    expect(formText()).toMatch(/already scheduled on X: .*09:00.*already scheduled on LinkedIn: .*10:00/)
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
  })

  it('can be confirmed even if its wording has changed with the clock', async () => {
    const first = await openForm('Launch week! tomorrow 9am on X')
    await mara.submitView({ view: first.id, values: {} })
    await mara.hears(/Scheduled in Acme[\s\S]*Launch week!/)
    const { id } = await openForm('Launch week! tomorrow 10am on X')
    await mara.submitView({ view: id, values: {} })
    expect(formText()).toContain('The same text is already scheduled on X')
    upnext.wait({ minutes: 3 })
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
    expect(mara.state().views).toEqual([])
  })
})

describe('an unfilled placeholder', () => {
  it('causes a warning that names it', async () => {
    const { id } = await openForm('tomorrow 9am on X')
    const typed = mara.fill({ Content: '{name} is here: {notes}.' })
    await mara.submitView({ view: id, values: typed })
    expect(formText()).toContain('The text still contains {name}, {notes}.')
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
  })
})

describe('a form that is opened with text', () => {
  const content = () => /"initial_value":"((?:[^"\\\\]|\\\\.)*)"/.exec(blockText('Content'))?.[1]
  const pressMovedWords = (values: InputValues = {}) => {
    const { accessory } = blocks().find(({ block_id }) => block_id === 'moved-words') as never as {
      accessory: { action_id: string }
    }
    const { action_id } = accessory
    return mara.dispatchAction({ container: openView(), block_id: 'moved-words', action_id, values })
  }

  it('takes the time out of the text, and can put it back and take it out again', async () => {
    await openForm('Join us on 12 March at 6pm! on LinkedIn')
    expect(content()).toBe('Join us!')
    expect(blockText('ScheduleDate')).toContain('"12 March at 6pm"')
    expect(blockText('moved-words')).toMatch(
      /Moved \\"12 March at 6pm\\" from the text to When\..*Keep in text/,
    )
    await pressMovedWords()
    await waitFor(() => expect(content()).toBe('Join us on 12 March at 6pm!'))
    expect(blockText('moved-words')).toMatch(
      /is filled in under When, and is also in the text\..*Remove from text/,
    )
    expect(blockText('ScheduleDate')).toContain('"12 March at 6pm"')
    await pressMovedWords()
    await waitFor(() => expect(content()).toBe('Join us!'))
  })

  it('keeps later edits of the text when the time is put back', async () => {
    await openForm('Coffee tasting, tomorrow 10am')
    await pressMovedWords(mara.fill({ Content: 'Tea tasting' }))
    await waitFor(() => expect(content()).toContain('tomorrow 10am'))
    expect(content()).toContain('Tea tasting')
  })

  it('breaks no word of an edited text when the time is put back', async () => {
    await openForm('Hello world tomorrow 10am')
    await pressMovedWords(mara.fill({ Content: 'Wow! Hello world' }))
    await waitFor(() => expect(content()).toBe('Wow! Hello world tomorrow 10am'))
  })

  it('takes out the day that fills in the date, not the same day before it', async () => {
    await openForm("It's friday! Happy friday")
    await pressMovedWords()
    await waitFor(() => expect(content()).toBe("It's friday! Happy"))
  })

  it('leaves a day in the text that may belong to it, and says so', async () => {
    await openForm('Happy friday')
    expect(content()).toBe('Happy friday')
    expect(blockText('moved-words')).toMatch(
      /\\"friday\\" is filled in under When, and is also in the text\./,
    )
    await pressMovedWords()
    await waitFor(() => expect(content()).toBe('Happy'))
  })

  it('asks which of two times is meant, and takes only that one out of the text', async () => {
    const { id } = await openForm('tomorrow 9am: Doors open at 7pm on Saturday')
    expect(content()).toBe('tomorrow 9am: Doors open at 7pm on Saturday')
    expect(blockText('note:ScheduleDate')).toContain(
      'Schedule for \\"tomorrow 9am\\" or \\"7pm on Saturday\\"?',
    )
    const typed = mara.fill({ Platforms: ['X'] })
    // Nothing is scheduled before the user has chosen.
    expect(JSON.stringify(await mara.submitView({ view: id, values: typed }))).toContain(
      'Please complete this required field',
    )
    await mara.dispatchAction({
      container: openView(),
      block_id: 'alternatives:ScheduleDate',
      action_id: 'change:schedule:alternatives:0',
      values: typed,
    })
    await waitFor(() => expect(content()).toBe('Doors open at 7pm on Saturday'))
    expect(blockText('ScheduleDate')).toContain('"tomorrow 9am"')
    expect(blockText('moved-words')).toMatch(/Moved \\"tomorrow 9am\\" from the text/)
    // The choice isn't offered again, because the other time would be taken out too.
    await typeInto('ScheduleDate', '')
    expect(content()).toBe('Doors open at 7pm on Saturday')
    await waitFor(() => expect(formText()).not.toContain('Sat 21 Nov, 09:00'))
    expect(formText()).not.toContain('Schedule for')
  })

  it('keeps the text whole where two times could be meant, and asks', async () => {
    await openForm('Thanksgiving hours: closed at 3. Thu 26 Nov 9am on X')
    expect(content()).toBe('Thanksgiving hours: closed at 3. Thu 26 Nov 9am')
    expect(blockText('ScheduleDate')).toContain('"initial_value":"Thu 26 Nov 9am"')
    expect(blockText('moved-words')).toMatch(/\\"Thu 26 Nov 9am\\" is filled in under When.*Remove from text/)
    await pressMovedWords()
    await waitFor(() => expect(content()).toBe('Thanksgiving hours: closed at 3.'))
  })

  it("names a platform that it doesn't know", async () => {
    await openForm('Hello on X and mastodon and LinkedIn')
    expect(content()).toBe('Hello')
    expect(blockText('Platforms')).toMatch(/"initial_options":\[.*LinkedIn.*"X"/)
    expect(formText()).toContain('\\"mastodon\\" was left out, because Upnext doesn\'t know that platform.')
  })

  it('saves a draft if the command ends with "as a draft"', async () => {
    const { submit } = await openForm('Hello on X as a draft')
    expect(content()).toBe('Hello')
    expect(submit?.text).toBe('Save draft')
  })

  it("fills in a time that can't be used under When, with the reason", async () => {
    await openForm('Launch day today 6am')
    expect(content()).toBe('Launch day')
    expect(blockText('ScheduleDate')).toContain('"today 6am"')
    expect(blockText('note:ScheduleDate')).toContain('Fri 20 Nov 2026, 06:00 is in the past.')
  })

  it('has places for quoted text, a draft and a media link', async () => {
    await openForm('draft: "Open until 6pm" tomorrow 10am via insta https://acme.example/lamp.jpg')
    expect(content()).toBe('Open until 6pm')
    expect(blockText('Media')).toContain('"https://acme.example/lamp.jpg"')
    expect(blockText('Platforms')).toContain(
      '"initial_options":[{"text":{"type":"plain_text","text":"Instagram"',
    )
    expect(mara.state().views.at(-1)?.submit?.text).toBe('Save draft')
    expect(blockText('moved-words')).toBeUndefined()
  })
})

describe('the submit button', () => {
  it('says what it does', async () => {
    const { submit } = await openForm('Hello! on X')
    expect(submit?.text).toBe('Schedule')
    const typed = mara.fill({ Status: 'DRAFT' })
    const [action_id = ''] = Object.keys(typed.Status ?? {})
    await mara.dispatchAction({
      container: openView(),
      block_id: 'Status',
      action_id,
      value: 'DRAFT',
      values: typed,
    })
    await waitFor(() => expect(mara.state().views.at(-1)?.submit?.text).toBe('Save draft'))
  })
})
