import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planner } from './planner.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

/** Plans as they come out of the spreadsheets and notes of teams. */
let upnext: Upnext
let mara: Member

// It is Friday 20 November 2026, 14:00 in Berlin.
beforeEach(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

const { views, shown, seesReview, waitForDirectMessage, importText, importFile, press } = planner(() => ({
  upnext,
  mara,
}))

describe('a sheet', () => {
  it.each([
    ['11/20/2026', '9:00'],
    ['20.11.2026', '10:00'],
    ['2026-11-20', '11:30:00'],
    ['46346', '0.375'],
  ])('with a row of this morning (%s, %s) is not scheduled for the evening', async (date, time) => {
    const rows = `Breakfast is served,${date},${time},X\nDinner,2026-11-27,19:00,X`
    await importFile('plan.csv', `Text,Date,Time,Platforms\n${rows}`)
    await seesReview(/\*1 post\* for Acme.*Row 2: Breakfast.*in the past/)
  })

  it.each(['09:00 CET', 'noon', '9:00 ET', '18:00h', '9:00*', '0930', '12:00 noon'])(
    'with "%s" below a merged date has a problem',
    async (time) => {
      await importFile('plan.csv', `Date,Time,Text,Platforms\n2026-12-03,15:00,First,X\n,${time},Second,X`)
      await seesReview(/\*1 post\* for Acme.*Row 3: Second.*the date is missing/)
    },
  )

  it.each([
    ['Nov 27?', '9:00'],
    ['2026-11-27', '9:00 (?)'],
  ])('with a time that is uncertain (%s, %s) has a problem', async (date, time) => {
    await importFile('plan.csv', `Date,Time,Text,Platforms\n${date},${time},Launch day!,X`)
    await seesReview(/\*0 posts\* for Acme.*Row 2: Launch day!.*the time has a question mark/)
  })

  it('loses no platform below a merged heading', async () => {
    await importFile('plan.csv', 'Text,Date,Platforms,,\nHello,2026-12-03 09:00,X,LinkedIn,Facebook')
    await seesReview(/Row 2: Hello.*This row has a cell without a heading/)
  })

  it('is read although empty columns follow its headings', async () => {
    await importFile('plan.csv', 'Text,Date,Platforms,,\nHello,2026-12-03 09:00,X,,')
    await seesReview(/\*1 post\* for Acme/)
  })

  it('is refused if its headings follow a title', async () => {
    const rows = [
      ['Content calendar December'],
      ['Date', 'Time', 'Platform', 'Text', 'Status'],
      ['2026-12-03', '09:00', 'X', 'Launch day!', 'posted'],
    ]
    await importText(rows.map((cells) => cells.join('\t')).join('\n'))
    await seesReview(/The headings must be in the first row\. Remove the rows above them\./)
  })

  it('may have other columns with dates and columns without headings', async () => {
    const table = ',Date,Created date,Text,Platforms,Last update\n1,2026-12-14 10:00,1 Nov,Sale,X,2 Nov'
    await importFile('plan.csv', table)
    await seesReview(/\*1 post\* for Acme/)
  })

  it('takes its dates from a column such as "Post date"', async () => {
    await importFile('plan.csv', 'Text,Platforms,Post date\nSale,X,2026-12-14 10:00')
    await seesReview(/Monday 14 December.*10:00\* {2}Sale/)
  })

  it('is refused with two columns for the date', async () => {
    const table = 'Day,Posting date,Time,Text,Platforms\nMonday,2026-12-14,10:00,Sale,X'
    await importFile('plan.csv', table)
    await seesReview(/The table has two columns for the date/)
  })

  it('is refused if an unknown column may have the dates', async () => {
    await importFile('plan.csv', 'Text,Platforms,Date (CET)\nSale,X,2026-12-14 10:00')
    await seesReview(
      /Upnext doesn't know the column \\"Date \(CET\)\\"\. If it has the dates, name it \\"Date\\"\./,
    )
  })

  it('says that the project lacks the media of a row', async () => {
    const table = (media: string) => `Text,Date,Platforms,Media\nLaunch day!,2026-12-03 09:00,X,${media}`
    await importFile('plan.csv', table(''))
    await seesReview(/\*1 post\* for Acme/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    await mara.closeView({ view: views().at(-1)?.id ?? '' })
    await importFile('plan.csv', table('https://acme.example/lamp.jpg'))
    await seesReview(/the project already has this post, but without media/)
  })
})

describe('pasted lines', () => {
  it('have a problem if they have only a time below a line with a day', async () => {
    const lines = ['Monday 30 Nov', '- Coffee tips 9am on X', 'Tuesday 1 Dec', '- Tea on X at 17:00']
    await importText([...lines, '- Cake 2 Dec 5pm on X'].join('\n'))
    await seesReview(/\*1 post\* for Acme.*Coffee tips.*a line above names only a day/)
    expect(shown()).toMatch(/Wednesday 2 December.*Cake/)
  })

  it('have a problem if they have no date below a line with a week', async () => {
    await importText(['Week 49', 'Coffee monday 9am on X', 'Tea on X at 1 Dec 9am'].join('\n'))
    await seesReview(/\*1 post\* for Acme.*Coffee.*a line above names a week/)
    expect(shown()).toMatch(/Tuesday 1 December.*Tea/)
  })

  it('have a problem if their time is also in the text', async () => {
    await importText('Concert Dec 5, 8pm, x mon 9am\nTea on X 1 Dec 9am')
    await seesReview(/\*1 post\* for Acme.*Concert.*mon 9am.* but is also in the text/)
  })

  it('have a problem if they are checked off', async () => {
    await importText('- [x] Coffee monday 9am on X\n1. [ ] Tea tuesday 9am on X\n[ ] Cake friday 9am on X')
    await seesReview(/\*2 posts\* for Acme.*Coffee.*This line is checked off/)
    expect(shown()).toMatch(/Tuesday 24 November.* {2}Tea.*Friday 27 November.* {2}Cake/)
  })

  it('have a problem if they are parts of a quotation', async () => {
    await mara.run('/schedule-post "Line one\nline two" monday 9am on X\n"Tea\nIs ready" tuesday 9am on X')
    await seesReview(/\*0 posts\* for Acme.*This line is part of a quote that spans several lines/)
  })
})
