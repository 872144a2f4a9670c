import { WebClient } from '@slack/web-api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pickFile } from './media/sample-files.ts'
import { planner } from './planner.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
/** Why Slack should reject calls of the bot. */
let expectedProblems: string[]

beforeEach(async () => {
  expectedProblems = []
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual(expectedProblems)
  await upnext.close()
})

const MAX_WAIT = { timeout: 60_000, interval: 20 }

const plans = planner(() => ({ upnext, mara }))
const { views, shown, seesReview, directMessages, waitForDirectMessage, pressInMessage, storedPosts, press } =
  plans
const { importText, importFile } = plans

const WEEK = `Monday motivation monday 9am on LinkedIn
- Behind the scenes tuesday 12:30 on Instagram https://acme.example/lamp.jpg
Launch day! wednesday 5pm on LinkedIn and X
Something without a time on X`

describe('a table with unusual cells', () => {
  it.each(['"Notes, internal"', '"Notes\n(internal)"'])(
    'keeps a draft a draft below the heading %s',
    async (heading) => {
      const rows = 'Not final yet,2026-12-03 09:00,X,ask Ada,draft\nFinal,2026-12-03 12:00,X,,scheduled'
      await importFile('plan.csv', `Text,Date,Platforms,${heading},Status\n${rows}`)
      await seesReview(/\*2 posts\* for Acme/)
      await press('plan:schedule')
      await waitForDirectMessage(/Saved/)
      expect((await storedPosts()).map(({ status }) => status)).toEqual(['DRAFT', 'SCHEDULED'])
    },
  )

  it('reads all dates in the order that one of them shows', async () => {
    const rows = '12/31/2026,9:00,Fireworks,X\n01/02/2027,9:00,Pancakes,X'
    await importFile('plan.csv', `Date,Time,Text,Platforms\n${rows}`)
    await seesReview(/\*2 posts\* for Acme.*31 December.*Fireworks.*2 January.*Pancakes/)
  })

  it('reads all dates in the order that one of them shows, also with short years', async () => {
    const rows = '12/31/26,9:00,Fireworks,X\n01/02/27,9:00,Pancakes,X'
    await importFile('plan.csv', `Date,Time,Text,Platforms\n${rows}`)
    await seesReview(/\*2 posts\* for Acme.*31 December.*Fireworks.*2 January.*Pancakes/)
  })

  it.each(['?', '-', '–', '…', '/', '.'])('has a problem with a time whose date is "%s"', async (date) => {
    const rows = `${date},9:00,Undecided,X\n2026-12-03,14:00,Lunch,X`
    await importFile('plan.csv', `Date,Time,Text,Platforms\n${rows}`)
    await seesReview(/\*1 post\* for Acme.*Row 2: Undecided.*the date is missing/)
  })

  it('does not take the end of a period for an offset from UTC', async () => {
    const rows = '2026-12-03,9:00-10:00,Breakfast,X\n2026-12-03,14:00,Lunch,X'
    await importFile('plan.csv', `Date,Time,Text,Platforms\n${rows}`)
    await seesReview(/\*1 post\* for Acme.*Row 2: Breakfast.*When: /)
  })

  it('has a problem with a pasted cell whose quotation mark swallows the rows below it', async () => {
    const rows = [
      ['"Lights on: our new series', '2026-12-03 09:00', 'X'],
      ['Internal: price list for dealers', '2026-12-04 09:00', 'LinkedIn'],
      ['Lights "off"', '2026-12-05 09:00', 'X'],
    ].map((cells) => cells.join('\t'))
    await importText(['Text\tDate\tPlatforms', ...rows].join('\n'))
    await seesReview(/\*0 posts\* for Acme.*A cell starts with a quotation mark, so the cells after it/)
  })

  it('keeps the day at the beginning of a line', async () => {
    await importText('1. December 10am: First candle! on X\n2. December 6pm: Second candle! on X')
    await seesReview(/\*2 posts\* for Acme.*Tuesday 1 December.*10:00.*Wednesday 2 December.*18:00/)
  })

  it("keeps a day in another language than the user's in the text", async () => {
    await importText('1. Dezember ist bald! monday 9am on X\n2. 12. 2026 auch! monday 10am on X')
    await seesReview(/1\. Dezember ist bald!/)
    expect(shown()).toMatch(/2\. 12\. 2026 auch!/)
  })

  it('removes the numbers of a list, but no other number', async () => {
    await importText(
      'Ideas\n1. Launch day! tomorrow 9am on X\n2. Launch night! tomorrow 9pm on X\n10. Geburtstag! monday 9am on X',
    )
    await seesReview(/\*3 posts\* for Acme/)
    expect(shown()).toMatch(/ Launch day!/)
    expect(shown()).not.toMatch(/[12]\. Launch/)
    expect(shown()).toMatch(/10\. Geburtstag!/)
  })

  it('is read past blank rows, which count in the numbers of the others', async () => {
    const table = `Text,Date,Platforms\n\n${',,\n'.repeat(600)}Launch day!,2026-11-27 9:00,Myspace`
    await importFile('plan.csv', table)
    await vi.waitFor(() => expect(shown()).toMatch(/Row 603: Launch day!/), MAX_WAIT)
  })

  it('is read if its lines end in different ways', async () => {
    await importFile(
      'plan.csv',
      'Text,Date,Platforms\r\nLaunch day!,2026-11-27 9:00,X\n"A\nB",2026-11-28 9:00,X\r\n',
    )
    await vi.waitFor(() => expect(shown()).toMatch(/2 posts/), MAX_WAIT)
  })

  it('needs quotation marks around a text with the delimiter', async () => {
    const rows = `2026-11-27 09:00,X,Only today: lamps for half, but not the red ones\n2026-11-27 12:00,X,"One, two"`
    await importFile('plan.csv', `Date,Platforms,Text\n${rows}`)
    await seesReview(/\*1 post\* for Acme.*Row 2: Only today.*This row has a cell without a heading/)
  })

  it('has a problem with a time without a date, if other rows have dates', async () => {
    const rows = '2026-12-03,9:00,Breakfast,X\n,12:00,Lunch,X'
    await importFile('plan.csv', `Date,Time,Text,Platforms\n${rows}`)
    await seesReview(/\*1 post\* for Acme.*Row 3: Lunch.*When: the date is missing\./)
  })

  it('is still shown for review if its only request for a free slot is unreadable', async () => {
    await mara.run('/upnext slots weekdays at 9:00')
    const { id: view } = await mara.form('Slots')
    await mara.submitAndHear({ view, values: {} }, /\*Slots of Acme\*/)
    const rows = 'One,next free slot blursday,X\nTwo,tomorrow 9am,X'
    await importFile('plan.csv', `Text,Date,Platforms\n${rows}`)
    await seesReview(/\*1 post\* for Acme.*Row 2: One.*wasn't understood/)
  })

  it('has problems with errors of a spreadsheet and with several links, and warns of placeholders', async () => {
    const links = 'https://acme.example/1.jpg https://acme.example/2.jpg'
    const rows = `#N/A,2026-12-03 09:00,X,\nTwo lamps,2026-12-03 12:00,X,${links}\nHi {{name}}!,2026-12-03 15:00,X,`
    await importFile('plan.csv', `Text,Date,Platforms,Media\n${rows}`)
    await seesReview(/\*1 post\* for Acme.*Row 2: #N\/A.*the spreadsheet shows an error/)
    expect(shown()).toMatch(
      /Row 3: Two lamps.*a post can have only one file\. Keep one link\..*The text still contains \{\{name\}\}/,
    )
  })

  it('schedules a row whose image differs from that of an earlier post', async () => {
    await importText('Launch day! monday 5pm on X https://acme.example/wrong.jpg')
    await seesReview(/Schedule 1 post/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await importText('Launch day! monday 5pm on X https://acme.example/right.jpg')
    await seesReview(/\*1 post\* for Acme.*At the same time as/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await mara.run('/upnext slots weekdays at 9:00')
    const { id: view } = await mara.form('Slots')
    await mara.submitAndHear({ view, values: {} }, /\*Slots of Acme\*/)
    const rows = 'Launch day!,X,https://acme.example/right.jpg\nLaunch day!,X,https://acme.example/wrong.jpg'
    await importFile('plan.csv', `Text,Platforms,Media\n${rows}`)
    await seesReview(/\*1 post\* for Acme.*Already in the project/)
  })
})

describe('a pasted plan', () => {
  it('is reviewed by day, with its problems first, and scheduled after a fix', async () => {
    await importText(WEEK)
    await seesReview(
      /\*3 posts\* for Acme · LinkedIn.2, Instagram.1, X.1.*Needs your attention.*Row 4: Something without a time.*When: Enter a date.*Monday 23 November.*09:00.*Monday motivation.*Wednesday 25 November.*Launch day!/,
    )
    await vi.waitFor(
      () => expect(directMessages().at(-1)).toMatch(/3 posts is ready for your review/),
      MAX_WAIT,
    )
    expect(await storedPosts()).toEqual([])
    await press('plan:fix')
    const { id } = await mara.form('Change a row')
    await upnext.settled()
    await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: 'friday 10am' }) })
    await seesReview(/\*4 posts\* for Acme.*This plan has nothing on Thu 26 Nov.*Friday 27 November/)
    await press('plan:schedule')
    await vi.waitFor(
      () => expect(directMessages().at(-1)).toMatch(/Saved 4 posts in Acme from Mon 23 to Fri 27 Nov/),
      MAX_WAIT,
    )
    expect((await storedPosts()).map(({ content, status }) => [content, status])).toEqual([
      ['Monday motivation', 'SCHEDULED'],
      ['Behind the scenes', 'SCHEDULED'],
      ['Launch day!', 'SCHEDULED'],
      ['Something without a time', 'SCHEDULED'],
    ])
  })

  it('asks about no change of an earlier row when the next one is saved', async () => {
    await importText('First without a time on X\nSecond without a time on X\nLaunch day! monday 9am on X')
    await seesReview(/Needs your attention.*First without.*Second without/)
    await press('plan:fix')
    const first = await mara.form('Change a row')
    await mara.showMore()
    await mara.submitView({ view: first.id, values: mara.fill({ ScheduleDate: 'tuesday 10am' }) })
    await seesReview(/\*2 posts\* for Acme/)
    await press('plan:fix')
    const second = await mara.form('Change a row')
    await mara.submitUnseen({ view: second.id, values: mara.fill({ ScheduleDate: 'friday 10am' }) })
    expect(shown()).not.toMatch(/Your last change wasn't in the form/)
  })

  it('keeps the day of a row that is fixed on the next day', async () => {
    const problem = /Row 1: Launch day!.*Platforms: missing/
    await importText('Launch day! tomorrow 9am\nSecond day! tuesday 9am on X')
    await seesReview(problem)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await upnext.passTime({ minutes: 12 * 60 })
    await mara.run('/upnext review')
    await seesReview(problem)
    await press('plan:fix')
    const { id } = await mara.form('Change a row')
    await seesReview(/Sat 21 Nov, 09:00 Berlin/)
    await mara.submitView({ view: id, values: mara.fill({ Platforms: ['X'] }) })
    await seesReview(/Schedule all 2 posts.*Saturday 21 November.*09:00\* {2}Launch day!/)
  })

  it('says in its summary how many rows were left out', async () => {
    await importText(`${WEEK}\nNo platform tomorrow 9am`)
    await seesReview(/Schedule 3 posts, skip 2/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 3 posts in Acme/)
    const message = Object.entries(mara.state().messages)
      .filter(([channel]) => channel.startsWith('D'))
      .flatMap(([, messages]) => messages)
      .at(-1)
    expect(JSON.stringify(message?.blocks)).toContain('2 rows with problems were left out. Fix them')
  })

  it('is opened by several lines after the command, and by a file in a message', async () => {
    await mara.run('/schedule-post Stollen is here tomorrow 9am on X\nStollen is gone sunday 9am on X')
    await seesReview(/\*2 posts\* for Acme.*Stollen is here.*Stollen is gone/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    const csv = 'Text,Date,Platforms\nFrom a message,tomorrow 10am,X'
    const file = await pickFile(upnext.slack, mara, 'plan.csv', Buffer.from(csv))
    await mara.sendMessage({ channel: mara.channel, text: 'The plan', files: [file] })
    const message = mara.state().messages[mara.channel]?.at(-1)
    await mara.runShortcut({
      callback_id: 'schedule_as_post',
      message: { channel: mara.channel, ts: message?.ts ?? '' },
    })
    await seesReview(/\*1 post\* for Acme.*From a message/)
  })

  it('says what the project already has instead of scheduling it twice', async () => {
    await importText(WEEK)
    await seesReview(/Schedule 3 posts, skip 1/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 3 posts in Acme/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await importText(`${WEEK}\nFriday fun 27 nov 4pm on X\nFriday fun 27 nov 4pm on X`)
    await seesReview(
      /\*1 post\* for Acme.*Friday fun.*Already in the project, so these are left out.*Monday motivation.*Launch day!.*Friday fun/,
    )
    await press('plan:drafts')
    await waitForDirectMessage(/Saved 1 post in Acme on Fri 27 Nov/)
    const stored = await storedPosts()
    expect(stored.map(({ content, status }) => `${content}: ${status}`)).toEqual([
      'Monday motivation: SCHEDULED',
      'Behind the scenes: SCHEDULED',
      'Launch day!: SCHEDULED',
      'Friday fun: DRAFT',
    ])
  })

  it('says which drafts the project already has before it saves the others', async () => {
    const drafts = 'Launch day! monday 9am on X\nSecond day! tuesday 9am on X'
    await importText(drafts)
    await seesReview(/Save all as drafts/)
    await press('plan:drafts')
    await waitForDirectMessage(/Saved 2 posts in Acme/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await importText(`${drafts}\nThird day! wednesday 9am on X`)
    await seesReview(/\*3 posts\* for Acme/)
    await press('plan:drafts')
    await seesReview(
      /\*1 post\* for Acme.*Wednesday 25 November.*Third day!.*Already in the project, so these are left out.*Launch day!.*Second day!/,
    )
    await upnext.settled()
    expect(await storedPosts()).toHaveLength(2)
    await press('plan:drafts')
    await waitForDirectMessage(/Saved 1 post in Acme on Wed 25 Nov/)
    expect((await storedPosts()).map(({ content, status }) => `${content} ${status}`)).toEqual([
      'Launch day! DRAFT',
      'Second day! DRAFT',
      'Third day! DRAFT',
    ])
  })

  it('leaves no row out that was changed to another post, or that is only a draft there', async () => {
    await importText('Launch day! wednesday 5pm on X\nBig news thursday 5pm on X')
    await seesReview(/Schedule all 2 posts/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 2 posts in Acme/)
    await upnext.service.pool.query("update service.post set status = 'DRAFT' where content = 'Big news'")
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await importText('Launch day! wednesday 5pm on X\nBig news thursday 5pm on X')
    await seesReview(
      /\*1 post\* for Acme.*Big news.*Already in the project, so these are left out.*Launch day!/,
    )
    const block = views()
      .at(-1)
      ?.blocks.findLast((one) => JSON.stringify(one).includes('Launch day!'))
    const container = { view: views().at(-1)?.id ?? '' }
    await mara.dispatchAction({ container, block_id: block?.block_id ?? '', action_id: 'plan:fix' })
    const { id } = await mara.form('Change a row')
    await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: 'wednesday 7pm' }) })
    await seesReview(/The same text is already scheduled on X: Wed 25 Nov, 17:00/)
    await mara.confirm('Save anyway')
    await seesReview(/Schedule all 2 posts/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 2 posts in Acme/)
    expect(await storedPosts()).toHaveLength(4)
  })

  it('warns of posts of the project that are close', async () => {
    await importText('Launch day! wednesday 5pm on X')
    await seesReview(/Schedule 1 post/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post in Acme/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await importText('Launch night! wednesday 5:10pm on X\nSomewhere else wednesday 5:10pm on LinkedIn')
    await seesReview(
      /Worth a look.*Launch night!.*10 minutes after \\"Launch day!\\" on X\..*Wednesday.*Somewhere else/,
    )
  })

  it('warns of a text that was moved in the sheet, and names the media', async () => {
    await importText('Barista tips wednesday 12:00 on X')
    await seesReview(/Schedule 1 post/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post in Acme/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await importText('Barista tips wednesday 15:00 on X https://acme.example/cup.jpg')
    await seesReview(
      /Worth a look.*https:\/\/acme\.example\/cup\.jpg.*3 hours after \\"Barista tips\\" on X\./,
    )
  })

  it('is sent once after a double click, and cancelled by Undo except for what was changed since', async () => {
    await importText(WEEK)
    await seesReview(/Schedule 3 posts, skip 1/)
    await Promise.all([press('plan:schedule'), press('plan:schedule')])
    await waitForDirectMessage(/Saved 3 posts in Acme/)
    expect(await storedPosts()).toHaveLength(3)
    // Someone has only put the text on two lines.
    await upnext.service.pool.query(
      "update service.post set content = E'Launch\\nday!', version = version + 1 where content = 'Launch day!'",
    )
    await pressInMessage('plan:undo')
    await waitForDirectMessage(/Undone: cancelled 2 posts in Acme\. Not cancelled: 1 post/)
    expect((await storedPosts()).map(({ content }) => content)).toEqual(['Launch\nday!'])
  })

  it('gets a new message with its result and Undo if its message was deleted', async () => {
    await importText(WEEK)
    await seesReview(/Schedule 3 posts, skip 1/)
    await waitForDirectMessage(/3 posts is ready for your review/)
    const { secrets, apiUrl: slackApiUrl } = upnext.slack
    const client = new WebClient(secrets.botToken, { slackApiUrl })
    for (const [channel, messages] of Object.entries(mara.state().messages))
      if (channel.startsWith('D'))
        for (const { ts = '' } of messages) await client.chat.delete({ channel, ts })
    expectedProblems = ['message_not_found']
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 3 posts in Acme/)
    await pressInMessage('plan:undo')
    await waitForDirectMessage(/Undone: cancelled 3 posts in Acme/)
  })

  it('is not sent after its posts have passed', async () => {
    await importText('Good news today at 16:00 on X\nDinner tomorrow 6pm on X')
    await seesReview(/Schedule all 2 posts/)
    upnext.wait({ minutes: 200 })
    await press('plan:schedule')
    await seesReview(
      /Schedule 1 post, skip 1.*Row 1: \*Fri 20 Nov 16:00\* {2}Good news.*this time has passed/,
    )
    expect(await storedPosts()).toEqual([])
  })

  it('continues after it was closed, and only for its author', async () => {
    await importText(WEEK)
    await seesReview(/\*3 posts\*/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await waitForDirectMessage(/ready for your review/)
    await pressInMessage('plan:review')
    await seesReview(/\*3 posts\* for Acme/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await mara.run('/upnext review')
    await seesReview(/\*3 posts\* for Acme/)
    const yuki = upnext.person('yuki')
    await yuki.runAndHear('/upnext review', /There is no plan to review/)
  })
})

describe('a plan in a file', () => {
  it.each([
    ['commas', 'Text,Date,Time,Platforms,Owner\n"Lamps, lamps, lamps!",2026-11-27,9:00,"LinkedIn, X",Ada'],
    [
      'semicolons, and a byte-order mark',
      '\ufeffPost;Networks;When\n"Lamps, lamps, lamps!";X / LinkedIn;27.11.2026 09:00',
    ],
    ['tabs', 'Time\tDate\tCaption\tPlatform\n09:00\t27 Nov 2026\tLamps, lamps, lamps!\tlinkedin and twitter'],
    ["Excel's dates", 'content,scheduledate,time,platforms\n"Lamps, lamps, lamps!",46353,0.375,"LINKEDIN;X"'],
    [
      "the contract's names",
      'Content,ScheduleDate,Timezone,Platforms\n"Lamps, lamps, lamps!",2026-11-27 09:00,Europe/Berlin,"LINKEDIN,X"',
    ],
  ])('is read with %s', async (_case, content) => {
    await importFile('plan.csv', content)
    await seesReview(
      /\*1 post\* for Acme · (LinkedIn.1, X.1|X.1, LinkedIn.1).*Friday 27 November.*09:00.*Lamps, lamps, lamps!/,
    )
  })

  it('names what is wrong at its row, and the columns that are not used', async () => {
    const rows = [
      'Text,Date,Platforms,Status,Owner',
      'No network,tomorrow 9am,,,Ada',
      'Unknown network,tomorrow 10am,Myspace,,Ada',
      'Unknown status,tomorrow 11am,X,maybe,Ada',
      'Past,2020-01-01 10:00,X,,Ada',
      ',,,,',
      `${'x'.repeat(281)},tomorrow 9am,X,,Ada`,
    ]
    await importFile('plan.csv', rows.join('\n'))
    await seesReview(/These columns aren't used: \\"Owner\\"\./)
    for (const words of [
      /Row 2: No network\\nPlatforms: missing\./,
      /Row 3: Unknown network\\nPlatforms: Upnext doesn't know \\"Myspace\\"\./,
      /Row 4: Unknown status\\n\\"maybe\\" isn't a status\./,
      /Row 5: Past\\nWhen: /,
      /Worth a look.*Sat 21 Nov 09:00\* {2}x+… · X\\nX: 1 over the 280 limit/,
    ])
      expect(shown()).toMatch(words)
    expect(shown()).toContain('Schedule 1 post, skip 4')
  })

  it.each([
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), /isn't plain text/],
    ['a missing quotation mark', 'Text,Date\n"Hello,tomorrow\n', /Line \d+ of the table can't be read/],
    ['too many rows', `Text,Date\n${'Hello,tomorrow 9am\n'.repeat(501)}`, /more than 500 posts/],
    ['two columns of one kind', 'Text,Caption,Date\nA,B,tomorrow', /The table has two columns for the text/],
    ['nothing', 'Text,Date\n', /has no posts/],
  ])('is refused with %s', async (_case, content, words) => {
    await importFile('plan.csv', content)
    await waitForDirectMessage(words)
    await seesReview(words)
  })
})
