import { DateTime } from 'luxon'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Morning, openMorning, PATIENCE, rounds } from './digest-morning.ts'

let upnext: Morning
let mara: Morning['mara']
beforeEach(async () => {
  upnext = await openMorning()
  mara = upnext.mara
})
afterEach(() => upnext.close())

describe('the form behind /upnext digest', () => {
  const open = async (member = mara) => {
    await member.run('/upnext digest')
    const { id, blocks } = await member.form('Digest of a channel')
    return { id, blocks: JSON.stringify(blocks) }
  }

  it('says when it comes next, and sets it up; the channel is told', async () => {
    const { id, blocks } = await open()
    expect(blocks).toMatch(/Weekdays at 09:00 Berlin: next .*09:00 Berlin.*, then .*09:00 Berlin/)
    expect(blocks).toContain(`"initial_conversation":"${mara.channel}"`)
    expect(
      await mara.submitView({
        view: id,
        values: mara.fill({ words: 'mon and thu 8:30', includes: ['coming', 'drafts'] }),
      }),
    ).toEqual({ done: true })
    await mara.hears(
      /gets:\n• \*Acme\*: Mon and Thu at 08:30 Berlin, without what went out, what went wrong, a picture, next .*, then .*set by/,
    )
    const all = upnext.person('yuki').state().messages[mara.channel] ?? []
    expect(all.map(({ text }) => text)).toContain(
      `<@${mara.userId}> has set up a digest here, of Acme: Mon and Thu at 08:30 Berlin.`,
    )
  })

  it('takes pickers for words', async () => {
    const { id } = await open()
    const at = { view: id }
    const picker = (type: string) => {
      const block = mara
        .state()
        .views.at(-1)
        ?.blocks.find(({ block_id }) => block_id === 'instead:words')
      const elements: { type: string; action_id?: string }[] = Object(block).elements
      return {
        block_id: block?.block_id ?? '',
        action_id: elements.find((one) => one.type === type)?.action_id ?? '',
      }
    }
    await mara.dispatchAction({ container: at, ...picker('static_select'), value: 'Saturdays' })
    const words = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
    await vi.waitFor(() => expect(words()).toContain('Every Saturday at 09:00 Berlin: next'), PATIENCE)
    await mara.dispatchAction({ container: at, ...picker('timepicker'), value: '17:45' })
    await vi.waitFor(() => expect(words()).toContain('"initial_value":"Every Saturday at 17:45"'), PATIENCE)
  })

  it('refuses a channel that the app is not in, and says how to add it; nothing is lost by it', async () => {
    const tomas = upnext.person('tomas', 'general')
    const { id } = await open(tomas)
    expect(await tomas.submitView({ view: id, values: {} })).toEqual({
      errors: {
        channel_id:
          'This app is not in that channel. Write "/invite @Upnext" there, and send this off again.',
      },
    })
    await tomas.inviteToChannel({ channel: tomas.channel, user: upnext.slack.botUserId })
    expect(await tomas.submitView({ view: id, values: {} })).toEqual({ done: true })
    await tomas.hears(/gets:\n• \*Acme\*: Weekdays at 09:00 New York/)
  })

  it('takes a zone of its own, and none that the words contradict', async () => {
    const { id } = await open()
    const { values } = await mara.pick('zone', 'Asia/Tokyo')
    expect(
      await mara.submitView({
        view: id,
        values: { ...values, ...mara.fill({ words: 'weekdays 9am Lisbon' }) },
      }),
    ).toEqual({
      errors: { zone: 'The words say Europe/Lisbon. Take the zone out of them, or choose none here.' },
    })
    expect(
      await mara.submitView({ view: id, values: { ...values, ...mara.fill({ words: 'weekdays 9am' }) } }),
    ).toEqual({ done: true })
    await mara.hears('Weekdays at 09:00 Tokyo')
  })

  it('knows a digest that is there already; in words, too', async () => {
    await mara.run('/upnext digest weekdays at 9am')
    await mara.hears('gets:')
    const { id } = await open()
    expect(await mara.submitView({ view: id, values: {} })).toEqual({
      errors: { words: expect.stringContaining('That channel has this digest already, at that time.') },
    })
    await mara.run('/upnext digest every weekday 9:00')
    await mara.hears(/It is there already: Weekdays at 09:00 Berlin/)
    const { rows } = await upnext.service.pool.query('select from upnext.digest')
    expect(rows).toHaveLength(1)
  })

  it('opens as it is for one that is there, and takes back what was handed over', async () => {
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(1), PATIENCE)
    await mara.run('/upnext digest list')
    await mara.hears('gets:')
    await mara.pressLast('digest:edit')
    const { id, blocks } = await mara.form('Digest of a channel')
    expect(JSON.stringify(blocks)).toMatch(/"initial_value":"Every day at \d\d:\d\d"/)
    const later = `every day at ${upnext.clockIn(14)}`
    expect(await mara.submitView({ view: id, values: mara.fill({ words: later }) })).toEqual({ done: true })
    await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(2), PATIENCE)
    await vi.waitFor(() => expect(upnext.calls('chat.deleteScheduledMessage')).toHaveLength(1), PATIENCE)
    upnext.pass(20)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    const { rows } = await upnext.service.pool.query('select from upnext.digest')
    expect(rows).toHaveLength(1)
  })

  it('lets one that has nothing to tell stay away', async () => {
    const { id } = await open()
    const values = mara.fill({ words: `every day at ${upnext.clockIn(12)}`, if_empty: 'skip' })
    expect(await mara.submitView({ view: id, values })).toEqual({ done: true })
    const ended = async () => {
      const { rows } = await upnext.service.pool.query('select state from upnext.digest_run')
      return rows
    }
    await vi.waitFor(async () => expect(await ended()).toEqual([{ state: 'skipped' }]), PATIENCE)
    expect(upnext.calls('chat.scheduleMessage')).toEqual([])
  })

  it('is for one day one digest, also where it is changed after it came', async () => {
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(1), PATIENCE)
    upnext.pass(13)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    await mara.run('/upnext digest list')
    await mara.hears('gets:')
    await mara.pressLast('digest:edit')
    const { id } = await mara.form('Digest of a channel')
    await mara.submitView({ view: id, values: mara.fill({ words: `every day at ${upnext.clockIn(20)}` }) })
    await mara.hears(/gets:\n• \*Acme\*: Every day at .*next .*in (1 day|2[34] hours)/)
  })

  it('reads the words in the zone that is chosen, before it is sent off', async () => {
    const { id } = await open()
    const shown = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
    const picked = await mara.pick('zone', 'America/Los_Angeles')
    await mara.dispatchAction(picked)
    await vi.waitFor(() => expect(shown()).toContain('Weekdays at 09:00 Los Angeles: next'), PATIENCE)
    const block = mara
      .state()
      .views.at(-1)
      ?.blocks.find((one) => one.block_id === 'instead:words')
    const [days]: { action_id?: string }[] = Object(block).elements
    await mara.dispatchAction({
      container: { view: id },
      block_id: 'instead:words',
      action_id: days?.action_id ?? '',
      value: 'Fridays',
      values: picked.values,
    })
    await vi.waitFor(() => expect(shown()).toContain('Every Friday at 09:00 Los Angeles: next'), PATIENCE)
  })

  it('tells whoever set it up what others do to it', async () => {
    await upnext.setUp(40)
    const yuki = upnext.person('yuki')
    await yuki.run('/upnext digest pause')
    await yuki.hears('paused')
    await vi.waitFor(
      () => expect(upnext.told()).toMatch(/About your digest of Acme in <#C\w+>: <@U\w+> has paused it\./),
      PATIENCE,
    )
  })

  it('asks which one is to end, where there are several', async () => {
    await upnext.setUp(40)
    await mara.run('/upnext digest mondays at 9')
    await mara.hears('Every Monday')
    await mara.run('/upnext digest stop')
    await mara.hears('There are 2 digests here. Which of them is to end?')
    await mara.pressLast('digest:off-all')
    await mara.hears(
      /Ended: \*Acme\*, Every day at .*\n[\s\S]*Ended: \*Acme\*, Every Monday[\s\S]*has no digest/,
    )
  })

  it('does not say that it goes on where the app is not in the channel', async () => {
    await upnext.setUp(40)
    await mara.removeFromChannel({ channel: mara.channel, user: upnext.slack.botUserId })
    upnext.pass(26)
    await vi.waitFor(() => expect(upnext.told()).toContain('Your digest is paused'), PATIENCE)
    await mara.run('/upnext digest resume')
    await mara.hears(/This app is not in that channel[\s\S]*paused/)
    const yuki = upnext.person('yuki')
    await yuki.run('/upnext digest resume')
    await yuki.hears('This app is not in that channel')
    await rounds()
    expect(upnext.told()).not.toContain('has resumed it')
  })

  it('shows guests no buttons that are not for them', async () => {
    await upnext.setUp(40)
    const noor = upnext.person('noor')
    await noor.run('/upnext digest list')
    await noor.hears('gets:')
    expect(JSON.stringify(noor.lastMessage())).not.toContain('digest:off')
  })

  it("is for one day one digest, also where that day is another zone's", async () => {
    await upnext.setUp(12)
    await upnext.handedOver()
    upnext.pass(13)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    await mara.run('/upnext digest list')
    await mara.hears('gets:')
    await mara.pressLast('digest:edit')
    const { id } = await mara.form('Digest of a channel')
    const now = upnext.slack.controls.now()
    // One in which it is the same day still as when the digest came.
    const [zone = ''] = ['Pacific/Kiritimati', 'Asia/Tokyo'].filter(
      (one) => DateTime.fromJSDate(now, { zone: one }).hour > 0,
    )
    const there = DateTime.fromJSDate(now, { zone })
    const words = `every day at ${there.endOf('day').toFormat('HH:mm')}`
    const { values } = await mara.pick('zone', zone)
    await mara.submitView({ view: id, values: { ...values, ...mara.fill({ words }) } })
    const tomorrow = there.plus({ days: 1 }).toFormat('d LLL yyyy, 23:59')
    await mara.hears(new RegExp(`next \\w+ ${tomorrow} ${zone.split('/')[1]}`))
  })

  it('is ended by its button', async () => {
    await upnext.setUp(40)
    await mara.pressLast('digest:off')
    await mara.hears('has no digest.')
  })
})

describe('/upnext digest', () => {
  it('now shows what it would say, to the person alone', async () => {
    await mara.run('/upnext digest now')
    await mara.hears(/Up next in Acme[\s\S]*Nothing is scheduled/)
    expect(mara.lastMessage()?.isEphemeral).toBe(true)
  })

  it.each([
    ['wibble', /Write the days and the time/],
    ['list', /has no digest. `\/upnext digest weekdays at 9am` sets one up./],
    ['pause', /There is no digest here/],
  ])('%s is answered', async (words, answer) => {
    await mara.run(`/upnext digest ${words}`)
    await mara.hears(answer)
  })

  it('is set up by members, and not by guests', async () => {
    const noor = upnext.person('noor')
    await noor.run('/upnext digest weekdays at 9am')
    await noor.hears('Guests can look here')
  })
})
