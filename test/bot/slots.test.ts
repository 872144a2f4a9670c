import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listSlots, readSlotRules, slotRulesToText } from '../../src/bot/features/slots/slot-rules.ts'
import { planner } from './planner.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const BERLIN = { now: new Date('2026-11-20T13:00Z'), zone: 'Europe/Berlin', locale: 'en-US' }

describe('rules for slots', () => {
  it('are read line by line, and written so that they are read the same', () => {
    const text = 'mon-fri 9:00 and 17:00\nLinkedIn: tuesdays 8:30\nsaturdays at noon on Instagram and X'
    const read = readSlotRules(text, BERLIN)
    if ('error' in read) throw new Error(read.error)
    expect(slotRulesToText(read.rules)).toBe(
      'Weekdays at 09:00 and 17:00 Berlin\nLinkedIn: Every Tuesday at 08:30 Berlin\nInstagram, X: Every Saturday at 12:00 Berlin',
    )
    expect(readSlotRules(slotRulesToText(read.rules), { ...BERLIN, zone: 'America/New_York' })).toEqual(read)
  })

  it.each(['America/Santo_Domingo', 'America/Port-au-Prince', 'Pacific/Easter', 'America/Nome', 'Etc/GMT-2'])(
    'in the zone %s are written so that they are read the same',
    (zone) => {
      const read = readSlotRules('weekdays at 9:00\nX and Instagram: saturdays at noon', { ...BERLIN, zone })
      if ('error' in read) throw new Error(read.error)
      expect(readSlotRules(slotRulesToText(read.rules), BERLIN)).toEqual(read)
    },
  )

  it('name the line that is not understood, and one zone for all', () => {
    expect(readSlotRules('weekdays at 9\nwhenever it suits', BERLIN)).toMatchObject({
      error: expect.stringMatching(/^"whenever it suits": /),
    })
    expect(readSlotRules('weekdays at 9 Berlin\nmondays at 8:00 Tokyo', BERLIN)).toEqual({
      error: 'Use one time zone for all slots.',
    })
  })

  it.each([
    ['forward', '2027-03-27T12:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z']],
    ['back', '2027-10-30T12:00Z', ['2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z']],
  ])('are one slot a day when the clocks go %s', (_direction, from, expected) => {
    const read = readSlotRules('every day at 02:30', BERLIN)
    if ('error' in read) throw new Error(read.error)
    const start = new Date(from)
    const slots = listSlots(read.rules, start, new Date(+start + 2 * 24 * 3_600_000))
    expect(slots.map(({ at }) => at.toISOString())).toEqual(expected)
  })
})

let upnext: Upnext
let mara: Member
let yuki: Member

// It is Friday 20 November 2026, 14:00 in Berlin.
beforeEach(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
  yuki = upnext.person('yuki')
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const { seesReview, shown, waitForDirectMessage, importText, importFile, press } = planner(() => ({
  upnext,
  mara,
}))

async function setSlots(rules: string): Promise<void> {
  await mara.run(`/upnext slots ${rules}`)
  const { id } = await mara.form('Slots')
  await mara.submitAndHear({ view: id, values: {} }, /\*Slots of Acme\*/)
}

/** Opens the form with a command, and waits for the time that it shows. */
async function openPost(member: Member, command: string, time: RegExp): Promise<string> {
  await member.run(`/schedule-post ${command}`)
  const { id } = await member.form('Schedule a post')
  const note = () =>
    JSON.stringify(
      member
        .state()
        .views.at(-1)
        ?.blocks.find(({ block_id }) => block_id === 'note:ScheduleDate'),
    )
  await vi.waitFor(() => expect(note()).toMatch(time), MAX_WAIT)
  return id
}

const scheduled = async () =>
  (
    await upnext.service.pool.query(
      "select content, to_char(schedule_date at time zone 'Europe/Berlin', 'Dy DD HH24:MI') as at from service.post order by schedule_date, content",
    )
  ).rows.map(({ content, at }) => `${at} ${content}`)

const WEEKDAYS = 'weekdays at 9:00 and 17:00'

describe('slots of a project', () => {
  it('are also given to drafts of a table that ask for one', async () => {
    await setSlots(WEEKDAYS)
    await importText('Text\tDate\tPlatforms\tStatus\nLamp\tnext free slot\tX\tdraft\nChair\t\tX\tdraft')
    await seesReview(/Friday 20 November/)
    expect(shown()).toMatch(/17:00\* {2}Lamp · X · draft/)
    expect(shown()).not.toMatch(/wasn't understood|:00\* {2}Chair/)
  })

  it('are filled by "next free slot", in a command and by the button', async () => {
    await setSlots(WEEKDAYS)
    const first = await openPost(mara, 'Launch day! next free slot on LinkedIn', /Fri 20 Nov.*17:00/)
    await mara.submitAndHear({ view: first, values: {} }, /Scheduled in/)
    const second = await openPost(mara, 'Launch again slot monday on LinkedIn', /Mon 23 Nov.*09:00/)
    await mara.submitAndHear({ view: second, values: {} }, /Scheduled in/)
    await mara.run('/schedule-post Launch once more on LinkedIn')
    const { id } = await mara.form('Schedule a post')
    await mara.dispatchAction({
      container: { view: id },
      block_id: 'alternatives:ScheduleDate',
      action_id: 'change:schedule:alternatives:suggestion',
    })
    await vi.waitFor(() => expect(shown()).toMatch(/Mon 23 Nov.*17:00/), MAX_WAIT)
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    expect(await scheduled()).toEqual([
      'Fri 20 17:00 Launch day!',
      'Mon 23 09:00 Launch again',
      'Mon 23 17:00 Launch once more',
    ])
  })

  it('belong to a platform if their line names it, and are taken by platform', async () => {
    await setSlots('Weekdays at 17:00\nLinkedIn: saturdays at 10:00')
    for (const [command, time] of [
      ['On X next free slot on X', /Fri 20 Nov.*17:00/],
      ['On LinkedIn next free slot on LinkedIn', /Fri 20 Nov.*17:00/],
      ['More on LinkedIn next free slot on LinkedIn', /Sat 21 Nov.*10:00/],
      ['More on X next free slot on X', /Mon 23 Nov.*17:00/],
      ['Next free slot on X: Our next slot machine', /Tue 24 Nov.*17:00/],
      ['X: Big news, next free slot', /Wed 25 Nov.*17:00/],
    ] as const) {
      const id = await openPost(mara, command, time)
      await mara.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    }
    expect(await scheduled()).toEqual(
      expect.arrayContaining(['Tue 24 17:00 Our next slot machine', 'Wed 25 17:00 Big news']),
    )
  })

  it('are not filled by text that only mentions free slots', async () => {
    await setSlots(WEEKDAYS)
    await mara.run('/schedule-post We have one free slot tomorrow')
    await mara.form('Schedule a post')
    await vi.waitFor(() => expect(shown()).toContain('We have one free slot tomorrow'), MAX_WAIT)
  })

  it('are not filled if the user keeps the words in the text', async () => {
    await setSlots(WEEKDAYS)
    const view = await openPost(mara, 'Grab the next free slot! on X', /Fri 20 Nov.*17:00/)
    expect(shown()).toMatch(/Moved \\"the next free slot\\" from the text to When/)
    const action_id = 'change:schedule:moved-words'
    await mara.dispatchAction({ container: { view }, block_id: 'moved-words', action_id })
    await vi.waitFor(() => expect(shown()).toContain('Grab the next free slot!'), MAX_WAIT)
  })

  it('go to one of two people who submit at the same moment', async () => {
    await setSlots(WEEKDAYS)
    const ids = [
      await openPost(mara, 'From Mara next slot on X', /Fri 20 Nov.*17:00/),
      await openPost(yuki, 'From Yuki next slot on X', /Sat 21 Nov, 01:00 Tokyo/),
    ]
    const results = await Promise.all([
      mara.submitView({ view: ids[0] ?? '', values: {} }),
      yuki.submitView({ view: ids[1] ?? '', values: {} }),
    ])
    const isDone = (result: object) => 'done' in result
    expect(results.filter(isDone)).toHaveLength(1)
    await upnext.settled()
    expect(await scheduled()).toHaveLength(1)
    const [loser, id = ''] = isDone(results[0] ?? {}) ? [yuki, ids[1]] : [mara, ids[0]]
    // The form shows the next free slot before it is sent.
    await loser.submitView({ view: id, values: {} })
    const asked = () => JSON.stringify(loser.state().views.at(-1)?.blocks)
    await vi.waitFor(
      () => expect(asked()).toMatch(/\*When\*: Mon 23 Nov, (09:00 Berlin|17:00 Tokyo)/),
      MAX_WAIT,
    )
    await loser.confirm('Schedule')
    await loser.hears(/Scheduled in/)
    expect(await scheduled()).toMatchObject(
      [/Fri 20 17:00/, /Mon 23 09:00/].map((words) => expect.stringMatching(words)),
    )
  })

  it('are free again after a post is cancelled or moved', async () => {
    await setSlots(WEEKDAYS)
    const id = await openPost(mara, 'Launch day! next slot on X', /Fri 20 Nov.*17:00/)
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    await mara.run('/upnext reschedule launch')
    const move = await mara.form('Reschedule a post')
    const moved = mara.fill({ ScheduleDate: 'slot monday' })
    await mara.submitAndHear({ view: move.id, values: moved }, /Rescheduled in/)
    expect(await scheduled()).toEqual(['Mon 23 09:00 Launch day!'])
    const second = await openPost(mara, 'Another one next slot on X', /Fri 20 Nov.*17:00/)
    await mara.submitAndHear({ view: second, values: {} }, /Scheduled in/)
  })

  it('are filled in the night in which clocks go back', async () => {
    await setSlots('every day at 02:30')
    await mara.run('/schedule-post Good night on X')
    const { id: view } = await mara.form('Schedule a post')
    const night = mara.fill({ ScheduleDate: 'slot 31 october 2027' })
    await mara.submitAndHear({ view, values: night }, /Scheduled in[\s\S]*Sun 31 Oct 2027, 02:30/)
    const { rows } = await upnext.service.pool.query('select schedule_date from service.post')
    expect(rows).toEqual([{ schedule_date: new Date('2027-10-31T00:30:00Z') }])
  })

  it('are shared by two posts only after a question', async () => {
    await setSlots(WEEKDAYS)
    const first = await openPost(mara, 'Launch day! monday 9am on X', /Mon 23 Nov.*09:00/)
    await mara.submitAndHear({ view: first, values: {} }, /Scheduled in/)
    const second = await openPost(mara, 'Sale! monday 9am on X', /Mon 23 Nov.*09:00/)
    await mara.submitView({ view: second, values: {} })
    await vi.waitFor(() => expect(shown()).toMatch(/This slot is taken on X: .*Launch day!/), MAX_WAIT)
    await mara.confirm('Schedule anyway')
    await mara.hears(/Scheduled in/)
    expect(await scheduled()).toHaveLength(2)
    await mara.run('/upnext edit sale')
    const edit = await mara.form('Edit a post')
    await mara.submitView({ view: edit.id, values: mara.fill({ Content: 'Sale today!' }) })
    await vi.waitFor(() => expect(shown()).toMatch(/This slot is taken on X: .*Launch day!/), MAX_WAIT)
    await mara.confirm('Save anyway')
    await mara.hears(/Saved the changes/)
    expect(await scheduled()).toEqual(['Mon 23 09:00 Launch day!', 'Mon 23 09:00 Sale today!'])
  })

  it('are listed in the zone of a reader who is elsewhere, and name it', async () => {
    await setSlots('weekdays at 17:00')
    await yuki.run('/upnext slots')
    await yuki.form('Slots')
    const { blocks } = yuki.state().views.at(-1) ?? {}
    expect(JSON.stringify(blocks)).toMatch(/5 slots in the next 7 days \(Tokyo time\): Sat 21 Nov, 01:00/)
  })

  it('are changed by two people at a time only after the second has seen what the first saved', async () => {
    await setSlots(WEEKDAYS)
    await mara.run('/upnext slots')
    await yuki.run('/upnext slots')
    const forms = [await mara.form('Slots'), await yuki.form('Slots')]
    await yuki.submitView({
      view: forms[1]?.id ?? '',
      values: yuki.fill({ Slots: 'Mondays at 8:00 Berlin' }),
    })
    await yuki.hears(/\*Slots of Acme\*/)
    await mara.submitView({
      view: forms[0]?.id ?? '',
      values: mara.fill({ Slots: 'Tuesdays at 7:00 Berlin' }),
    })
    await vi.waitFor(
      () =>
        expect(shown()).toMatch(/Someone else changed these slots\. They are now:\\nEvery Monday at 08:00/),
      MAX_WAIT,
    )
    await mara.confirm('Replace these slots')
    await mara.hears(/\*Slots of Acme\*\nEvery Tuesday at 07:00 Berlin/)
  })

  it('are looked for up to a year ahead', async () => {
    await setSlots('weekdays at 9:00')
    await mara.run('/schedule-post Launch day! on X')
    const { id } = await mara.form('Schedule a post')
    const endless = mara.fill({ ScheduleDate: 'slot from today to 31 dec 9999' })
    await mara.submitAndHear({ view: id, values: endless }, /Scheduled in[\s\S]*Mon 23 Nov, 09:00 Berlin/)
    await mara.run('/schedule-post Launch night! on X')
    const second = await mara.form('Schedule a post')
    const later = mara.fill({ ScheduleDate: 'slot 1 december 2028' })
    expect(await mara.submitView({ view: second.id, values: later })).toMatchObject({
      errors: { ScheduleDate: 'Free slots can only be found up to a year ahead. Enter a time instead.' },
    })
  })

  it('are shown in the week while they are free, each with a button', async () => {
    await setSlots('mondays at 9:00\nLinkedIn: mondays at 11:00')
    await mara.runAndHear('/upnext week next week', /Acme/)
    const blocks = () => JSON.stringify(mara.lastMessage()?.blocks)
    expect(blocks()).toMatch(
      /Monday 23 November.*\*09:00\* {2}_free slot_.*\*11:00\* {2}_free slot for LinkedIn_/,
    )
    await mara.pressLast('calendar:fill')
    const { id } = await mara.form('Schedule a post')
    await mara.submitAndHear(
      { view: id, values: mara.fill({ Content: 'Launch day!', Platforms: ['X'] }) },
      /Scheduled in/,
    )
    await mara.runAndHear('/upnext week next week', /Acme/)
    expect(blocks()).toMatch(/\*09:00\* {2}Launch day! · X.*\*11:00\* {2}_free slot for LinkedIn_/)
  })

  it('are gaps in the week for the platforms that have not taken them', async () => {
    await setSlots('LinkedIn, X: mondays at 9:00')
    const id = await openPost(mara, 'Launch day! monday 9am on X', /Mon 23 Nov.*09:00/)
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    await mara.runAndHear('/upnext week next week', /_free slot for LinkedIn_/)
  })

  it('are checked again before a plan is sent', async () => {
    await setSlots(WEEKDAYS)
    await importText('One next free slot on X\nTwo next free slot on X')
    await seesReview(/Friday 20 November.*17:00\* {2}One.*Monday 23 November.*09:00\* {2}Two/)
    const id = await openPost(yuki, 'From Yuki monday 17:00 on X', /Mon 23 Nov, 17:00 Tokyo/)
    await yuki.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    await upnext.service.pool.query(
      "update upnext.slot_reservation set reserved_at = now() - interval '1 hour'",
    )
    await press('plan:schedule')
    await seesReview(
      /Worth a look.*\*Mon 23 Nov 09:00\* {2}Two · X\\nThis slot is taken: \\"From Yuki\\" on X\./,
    )
    expect(await scheduled()).toEqual(['Mon 23 09:00 From Yuki'])
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 2 posts in Acme/)
  })

  it('are shared by rows of a plan after a warning, and never taken by drafts', async () => {
    await setSlots(WEEKDAYS)
    const plan = 'One monday 9am on X\nTwo monday 9am on X\nThree monday 9am on X as a draft'
    await importText(plan)
    await seesReview(/Worth a look.*Two · X\\nThis slot is taken: \\"One\\" on X\.".*Three · X · draft/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 3 posts in Acme/)
    expect(await scheduled()).toHaveLength(3)
  })

  it('are not filled twice by the same rows', async () => {
    await setSlots(WEEKDAYS)
    const plan = 'Text,Date,Platforms\nOne,,X\nTwo,,X'
    await importFile('plan.csv', plan)
    await seesReview(/Schedule all 2 posts/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 2 posts/)
    await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
    await importFile('plan.csv', `${plan}\nThree,,X`)
    await seesReview(/\*1 post\* for Acme.*Three.*Already in the project, so these are left out.*One.*Two/)
  })

  it('are never taken by the rows of a plan that name a time which was not read', async () => {
    await setSlots(WEEKDAYS)
    const lines = ['yesterday 9am One on X', '32 Dec 10:00 Two on X', 'Doors open at 7pm, be there, on X']
    await importText([...lines, 'Coffee for $2.50 on X', '32 Dec 10:00 Idea on X as a draft'].join('\n'))
    await seesReview(
      /\*2 posts\* for Acme.*One.*time in this line wasn't understood.*Two.*time in this line wasn't understood.*Doors.*time in this line wasn't understood/,
    )
    expect(shown()).toMatch(/Friday 20 November.*17:00.*Coffee for \$2\.50/)
  })

  it('are never taken by rows whose dates are in a column that is not known', async () => {
    await setSlots(WEEKDAYS)
    await importFile('plan.csv', 'Release,Body,Network\nSun Dec 13 2026 9:00 AM,Sunday brunch,LinkedIn')
    await seesReview(/doesn't know the column \\"Release\\"\. If it has the dates, name it/)
    await importFile('plan.csv', 'Publish on;Text;Netzwerk;Plattform\n13.12.2026 9:00;Brunch;;LinkedIn')
    await seesReview(/Sunday 13 December.*09:00.*Brunch/)
  })

  it('are filled by the rows of a plan without a time, in order', async () => {
    await setSlots(WEEKDAYS)
    await importFile(
      'plan.csv',
      'Text,Date,Platforms\nOne,,X\nTwo,,X\nThree,slot tuesday,X\nFixed,2026-11-23 09:00,X\nFour,,X',
    )
    await seesReview(/Rows without a time take free slots/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 5 posts/)
    expect(await scheduled()).toEqual([
      'Fri 20 17:00 One',
      'Mon 23 09:00 Fixed',
      'Mon 23 17:00 Two',
      'Tue 24 09:00 Three',
      'Tue 24 17:00 Four',
    ])
    await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
    await importText('Five next free slot on X\nSix slot friday on X\nSeven slot thursday on X')
    await seesReview(
      /Row 2: Six\\nWhen: There is no free slot for X \(friday\)\.".*Wednesday 25 November.*Five.*Thursday 26 November.*Seven/,
    )
  })
})
