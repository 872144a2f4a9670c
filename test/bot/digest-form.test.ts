import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DigestWorkspace, MAX_WAIT, openDigestWorkspace } from './digest-workspace.ts'

let upnext: DigestWorkspace
let mara: DigestWorkspace['mara']
beforeEach(async () => {
  upnext = await openDigestWorkspace()
  mara = upnext.mara
})
afterEach(() => upnext.close())

const openDigestForm = async (member = mara) => {
  await member.run('/upnext digest')
  const { id, blocks } = await member.form('Channel digest')
  return { id, blocks: JSON.stringify(blocks) }
}

type Block = { block_id?: string; elements?: { type: string; action_id?: string }[] }

const formText = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
const waitForText = (text: string) => vi.waitFor(() => expect(formText()).toContain(text), MAX_WAIT)

/** A picker below the field for the recurrence. */
const findPicker = (type: string) => {
  const blocks: Block[] = mara.state().views.at(-1)?.blocks ?? []
  const block_id = 'alternatives:recurrence'
  const { elements = [] } = blocks.find((block) => block.block_id === block_id) ?? {}
  return { block_id, action_id: elements.find((element) => element.type === type)?.action_id ?? '' }
}

const countDigests = async () => {
  const { rows } = await upnext.service.pool.query('select from upnext.digest')
  return rows.length
}

/** The digest moves on to another day without a message. */
const waitUntilSkipped = () =>
  vi.waitFor(async () => {
    const query =
      "select post_at, last_at, next_at > created_at + interval '1 day' as has_moved from upnext.digest"
    const { rows } = await upnext.service.pool.query(query)
    expect(rows).toEqual([{ post_at: null, last_at: null, has_moved: true }])
  }, MAX_WAIT)

describe('the digest form', () => {
  it('shows the next times, saves a digest and announces it in the channel', async () => {
    const { id, blocks } = await openDigestForm()
    expect(blocks).toMatch(/Weekdays at 09:00 Berlin: next .*09:00 Berlin.*, then .*09:00 Berlin/)
    expect(blocks).toContain(`"initial_conversation":"${mara.channel}"`)
    const typed = mara.fill({ recurrence: 'mon and thu 8:30', sections: ['upcoming', 'drafts'] })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await mara.hears(
      /• \*Acme\*, set up by <@\w+>: Mon and Thu at 08:30 Berlin, without published posts, problems, the calendar of the week, next .*, then /,
    )
    const messages = upnext.person('yuki').state().messages[mara.channel] ?? []
    expect(messages.map(({ text }) => text)).toContain(
      `<@${mara.userId}> set up a digest for this channel: Acme. Mon and Thu at 08:30 Berlin.`,
    )
  })

  it('turns picked values into words', async () => {
    const { id } = await openDigestForm()
    const at = { view: id }
    await mara.dispatchAction({ container: at, ...findPicker('static_select'), value: 'Saturdays' })
    await waitForText('Every Saturday at 09:00 Berlin: next')
    await mara.dispatchAction({ container: at, ...findPicker('timepicker'), value: '17:45' })
    await waitForText('"initial_value":"Every Saturday at 17:45"')
  })

  it('refuses a channel without the app, and can be submitted again once the app is added', async () => {
    const tomas = upnext.person('tomas', 'general')
    const { id } = await openDigestForm(tomas)
    expect(await tomas.submitView({ view: id, values: {} })).toEqual({
      errors: {
        channel_id: 'Upnext isn\'t in that channel. Type "/invite @Upnext" there, then try again.',
      },
    })
    await tomas.inviteToChannel({ channel: tomas.channel, user: upnext.slack.botUserId })
    expect(await tomas.submitView({ view: id, values: {} })).toEqual({ done: true })
    await tomas.hears(/Digests in .*\n• \*Acme\*, set up by <@\w+>: Weekdays at 09:00 New York/)
  })

  it('refuses a time zone that contradicts the typed recurrence', async () => {
    const { id } = await openDigestForm()
    const { values: typed } = await mara.pick('zone', 'Asia/Tokyo')
    const submitWith = (recurrence: string) =>
      mara.submitView({ view: id, values: { ...typed, ...mara.fill({ recurrence }) } })
    expect(await submitWith('weekdays 9am Lisbon')).toEqual({
      errors: {
        zone: '"When" names the time zone Europe/Lisbon. Remove it there, or clear "Time zone".',
      },
    })
    expect(await submitWith('weekdays 9am')).toEqual({ done: true })
    await mara.hears('Weekdays at 09:00 Tokyo')
  })

  it('finds a city by its nickname in the time zone menu', async () => {
    await openDigestForm()
    const { container, block_id, action_id } = await mara.pick('zone', 'America/New York')
    const response = await mara.loadOptions({ container, block_id, action_id, query: 'nyc' })
    expect('options' in response && response.options.map(({ value }) => value)).toEqual(['America/New_York'])
  })

  it('refuses a digest that already exists, as the command does', async () => {
    await mara.run('/upnext digest weekdays at 9am')
    await mara.hears('Digests in')
    const { id } = await openDigestForm()
    expect(await mara.submitView({ view: id, values: {} })).toEqual({
      errors: { recurrence: expect.stringContaining('This digest already exists.') },
    })
    await mara.run('/upnext digest every weekday 9:00')
    await mara.hears('This digest already exists: Weekdays at 09:00 Berlin.')
    expect(await countDigests()).toBe(1)
  })

  it('edits a digest, and schedules its message for the new time', async () => {
    await upnext.setUpDigest(12)
    await upnext.waitForScheduled()
    await upnext.settled()
    const { id, blocks } = await upnext.editDigest()
    expect(JSON.stringify(blocks)).toMatch(/"initial_value":"Every day at \d\d:\d\d"/)
    const typed = mara.fill({ recurrence: `every day at ${upnext.timeIn(14)}` })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await vi.waitFor(() => expect(upnext.calls('chat.deleteScheduledMessage')).toHaveLength(1), MAX_WAIT)
    await upnext.settled()
    // The new message waits until the old one has certainly been deleted.
    upnext.advance(0.5)
    await upnext.waitForScheduled(2)
    upnext.advance(20)
    await upnext.waitForPosted()
    expect(await countDigests()).toBe(1)
  })

  it("doesn't overwrite what a colleague changed while the form was open", async () => {
    await upnext.setUpDigest(40)
    const { id } = await upnext.editDigest()
    const yuki = upnext.person('yuki')
    await yuki.runAndHear('/upnext digest pause', 'paused')
    const values = mara.fill({ sections: ['upcoming', 'drafts'] })
    expect(await mara.submitView({ view: id, values })).toEqual({
      errors: {
        recurrence: 'This digest has changed since you opened it. Open it again with "/upnext digest list".',
      },
    })
    const { rows } = await upnext.service.pool.query('select paused_reason, sections from upnext.digest')
    expect(rows).toEqual([{ paused_reason: 'user_request', sections: expect.arrayContaining(['published']) }])
  })

  it('is listed with the current name of its project', async () => {
    await upnext.setUpDigest(40)
    await upnext.service.pool.query("update service.project set name = 'Umbrella'")
    upnext.wait({ minutes: 1 })
    await mara.runAndHear('/upnext digest list', /Umbrella/)
    await mara.runAndHear('/upnext digests', /Everyone's digests.*Umbrella/s)
  })

  it('stays paused if it is changed', async () => {
    await upnext.setUpDigest(40)
    await mara.runAndHear('/upnext digest pause', 'paused')
    const { id } = await upnext.editDigest()
    const values = mara.fill({ sections: ['upcoming', 'drafts'] })
    await mara.submitAndHear({ view: id, values }, /paused\./)
    const { rows } = await upnext.service.pool.query('select paused_reason from upnext.digest')
    expect(rows).toEqual([{ paused_reason: 'user_request' }])
  })

  it('can skip a digest without content', async () => {
    const { id } = await openDigestForm()
    const typed = mara.fill({ recurrence: `every day at ${upnext.timeIn(12)}`, when_empty: 'skip' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await waitUntilSkipped()
    expect(upnext.calls('chat.scheduleMessage')).toEqual([])
  })

  it('reads the recurrence in the selected time zone before it is submitted', async () => {
    const { id } = await openDigestForm()
    const zone = await mara.pick('zone', 'America/Los_Angeles')
    await mara.dispatchAction(zone)
    await waitForText('Weekdays at 09:00 Los Angeles: next')
    await mara.dispatchAction({
      container: { view: id },
      ...findPicker('static_select'),
      value: 'Fridays',
      values: zone.values,
    })
    await waitForText('Every Friday at 09:00 Los Angeles: next')
  })
})

describe('a day', () => {
  const postDigest = async () => {
    await upnext.setUpDigest(12)
    await upnext.waitForScheduled()
    upnext.advance(13)
    await upnext.waitForPosted()
  }

  it('has one digest, even if the time is changed after it was posted', async () => {
    await postDigest()
    const { id } = await upnext.editDigest()
    const typed = mara.fill({ recurrence: `every day at ${upnext.timeIn(20)}` })
    await mara.submitView({ view: id, values: typed })
    await mara.hears(/• \*Acme\*, set up by <@\w+>: Every day at .*next .*in (1 day|2[34] hours)/)
  })

  it('has a digest if the time is changed after it was skipped', async () => {
    const { id } = await openDigestForm()
    const empty = mara.fill({ recurrence: `every day at ${upnext.timeIn(12)}`, when_empty: 'skip' })
    await mara.submitView({ view: id, values: empty })
    await waitUntilSkipped()
    upnext.advance(13)
    await mara.runAndHear('/upnext digest list', 'Digests in')
    await mara.pressLast('digest:edit')
    const { id: edited } = await mara.form('Channel digest')
    const later = mara.fill({ recurrence: `every day at ${upnext.timeIn(12)}`, when_empty: 'post' })
    await mara.submitView({ view: edited, values: later })
    await upnext.waitForScheduled()
    upnext.advance(13)
    await upnext.waitForPosted()
  })

  it('has one digest, even if the time zone is changed after it was posted', async () => {
    await postDigest()
    const { id } = await upnext.editDigest()
    // The digest was posted on Friday at 13:12 in Berlin, which is 21:12 in Tokyo.
    const { values: typed } = await mara.pick('zone', 'Asia/Tokyo')
    const words = mara.fill({ recurrence: 'every day at 23:59' })
    await mara.submitView({ view: id, values: { ...typed, ...words } })
    await mara.hears(/next \w+ 21 Nov, 23:59 Tokyo/)
  })
})

describe('another user', () => {
  it('can pause a digest, and its owner is notified', async () => {
    await upnext.setUpDigest(40)
    const yuki = upnext.person('yuki')
    await yuki.run('/upnext digest pause')
    await yuki.hears('paused')
    await upnext.waitForDirectMessage(/Your digest Acme in <#C\w+>: paused by <@U\w+>\./)
  })

  it('cannot resume a digest while the app is not in the channel', async () => {
    await upnext.setUpDigest(40)
    await mara.removeFromChannel({ channel: mara.channel, user: upnext.slack.botUserId })
    upnext.advance(26)
    await upnext.waitForDirectMessage('paused because')
    const yuki = upnext.person('yuki')
    for (const member of [mara, yuki]) {
      await member.run('/upnext digest resume')
      await member.hears(/Upnext isn't in that channel[\s\S]*paused/)
    }
    await upnext.settled()
    expect(upnext.directMessages()).not.toContain('resumed')
  })

  it('sees no buttons that change a digest if they are a guest', async () => {
    await upnext.setUpDigest(40)
    const noor = upnext.person('noor')
    await noor.run('/upnext digest list')
    await noor.hears('Digests in')
    expect(JSON.stringify(noor.lastMessage())).not.toContain('"digest:')
  })
})

describe('deleting a digest', () => {
  it('asks which digest to delete if there are several', async () => {
    await upnext.setUpDigest(40)
    await mara.runAndHear('/upnext digest mondays at 9', /^\*Digests in [\s\S]*Every Monday/)
    await mara.run('/upnext digest stop')
    await mara.hears('There are 2 digests here. Which one do you want to delete?')
    await mara.pressLast('digest:delete-all')
    await mara.hears(
      /Deleted: \*Acme\*, Every day at .*\n[\s\S]*Deleted: \*Acme\*, Every Monday[\s\S]*has no digests/,
    )
  })

  it('works with the button in the list', async () => {
    await upnext.setUpDigest(40)
    await mara.pressLast('digest:delete')
    await mara.hears('has no digests.')
  })
})

describe('/upnext digest', () => {
  it('shows the digest only to the user if followed by "now"', async () => {
    await mara.run('/upnext digest now')
    await mara.hears(/Up next in Acme[\s\S]*Nothing is scheduled/)
    expect(mara.lastMessage()?.isEphemeral).toBe(true)
  })

  it.each([
    ['wibble', /opens a form\. You can also type `now`, `list`, `pause`, `resume` or `delete` after it/],
    ['list', /has no digests\. Set one up with `\/upnext digest weekdays at 9am`\./],
    ['pause', /There's no digest here\. Set one up with/],
  ])('explains what to do if followed by "%s"', async (words, answer) => {
    await mara.run(`/upnext digest ${words}`)
    await mara.hears(answer)
  })

  it('refuses to set up a digest for a guest', async () => {
    const noor = upnext.person('noor')
    await noor.run('/upnext digest weekdays at 9am')
    await noor.hears('Guests have view-only access.')
  })
})
