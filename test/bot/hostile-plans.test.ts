import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { planner } from './planner.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

afterEach(() => mara.closeView({ view: mara.state().views.at(-1)?.id ?? '', all: true }))

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const { shown, storedPosts, importFile } = planner(() => ({ upnext, mara }))

const HEADING = 'Text,Date,Platforms'
const GOOD = 'A good row,2026-11-27 09:00,X'
const table = (...rows: string[]) => [HEADING, ...rows, GOOD].join('\n')
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const big = (length: number, part = 'x') => part.repeat(Math.ceil(length / part.length)).slice(0, length)
const columns = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`).join(',')

/** What can't be read as a whole. */
const REFUSED: [name: string, content: string | Buffer, message: RegExp][] = [
  ['a NUL', table('A\0B,2026-11-27 10:00,X'), /isn't plain text/],
  ['NULs only', Buffer.alloc(2000), /isn't plain text/],
  ['Latin-1', Buffer.from(table('Gr\u00fc\u00dfe,2026-11-27 10:00,X'), 'latin1'), /isn't plain text/],
  [
    'half a character',
    Buffer.concat([Buffer.from(`${HEADING}\nA,`), Buffer.from([0xc3])]),
    /isn't plain text/,
  ],
  ['overlong UTF-8', Buffer.from([0x54, 0xc0, 0xaf]), /isn't plain text/],
  ['UTF-16 without a mark', Buffer.from(table(), 'utf16le'), /isn't plain text/],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x54, 0, 0, 0]), /isn't plain text/],
  ['a ZIP archive', Buffer.from('PK\u0003\u0004\0\0\0\0'), /isn't plain text/],
  ['an Excel workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /isn't plain text/],
  ['a gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0]), /isn't plain text/],
  [
    '10,000 columns',
    `${HEADING},${columns(10_000)}\n${GOOD}`,
    /has 10003 columns\. Remove some, so that at most 100/,
  ],
  ['a cell of 1 MB', table(`${big(1e6)},2026-11-27 10:00,X`), /more than 100,000 characters/],
  ['a quotation of 1 MB', table(`"${big(1e6, 'a\n')}",2026-11-27 10:00,X`), /more than 100,000 characters/],
  ['an open quotation', table('"never closed,2026-11-27 10:00,X'), /can't be read, because a quotation mark/],
  [
    'text after a quotation',
    table('"closed" early,2026-11-27 10:00,X'),
    /can't be read, because a quotation mark/,
  ],
  [
    'a quotation mark inside',
    table('he said "hi",2026-11-27 10:00,X'),
    /can't be read, because a quotation mark/,
  ],
  ['two texts', `Text,Message,Date\nA,B,2026-11-27 10:00`, /The table has two columns for the text/],
  ['two dates', `Text,Date,When\nA,2026-11-27,2026-11-28`, /The table has two columns for the date/],
  ['headings only', HEADING, /has no posts/],
  ['empty rows', `${HEADING}\n,,\n,,\n`, /has no posts/],
  ['line breaks', '\n\n\n', /has no posts/],
  ['white space', '   \t  ', /has no posts/],
  ['a byte-order mark', '\ufeff', /has no posts/],
  ['501 rows', `${HEADING}\n${`${GOOD}\n`.repeat(501)}`, /more than 500 posts/],
  ['100,000 lines', 'a\n'.repeat(100_000), /more than 500 posts/],
  ['20,001 blank rows', `${HEADING}\n${',,\n'.repeat(20_001)}${GOOD}`, /more than 20,000 rows/],
  ['3 MB', `${HEADING}\n${big(3e6, `${GOOD}\n`)}`, /larger than 2 MB/],
]

/** Rows that are wrong, and what is said at each. The good row beside them stays. */
const ROWS: [name: string, row: string, message: RegExp][] = [
  ['a formula as the date', 'A,"=NOW()",X', /Row 2: .*When: /],
  ['a formula as the platform', 'A,2026-11-27 10:00,"=cmd|\' /C calc\'!A0"', /Row 2: .*Upnext doesn't know/],
  ['a link as the platform', 'A,2026-11-27 10:00,https://acme.example', /doesn't know/],
  ['a mention as the platform', 'A,2026-11-27 10:00,<!channel>', /doesn't know \\"&lt;!channel&gt;\\"/],
  ['a negative date', 'A,-1,X', /Row 2: .*When: /],
  ['the day 0', 'A,0,X', /Row 2: .*When: /],
  ['a huge number as the date', 'A,99999999999999999999,X', /Row 2: .*When: /],
  ['a number with exponent', 'A,4.6353E+04,X', /Row 2: .*When: /],
  ['a date of 1900', 'A,30000,X', /Row 2: .*When: /],
  ["Excel's error", 'A,#VALUE!,X', /Row 2: .*When: /],
  ['#REF!', 'A,#REF!,X', /Row 2: .*When: /],
  ['NaN', 'A,NaN,X', /Row 2: .*When: /],
  ['30 February', 'A,2027-02-30 10:00,X', /Row 2: .*When: /],
  ['25:61', 'A,2026-11-27 25:61,X', /Row 2: .*When: /],
  ['the past', 'A,2020-01-01 10:00,X', /Row 2: .*When: /],
  ['two dates', 'A,2026-11-27 or 2026-11-28,X', /Row 2: .*When: /],
  ['a range of dates', 'A,monday to friday,X', /Row 2: .*When: /],
  ['a day without a time', 'A,2026-11-27,X', /Row 2: .*When: /],
  ['an SQL injection as the date', "A,'; drop table service.post; --,X", /Row 2: .*When: /],
  ['a date of 10,000 digits', `A,${big(10_000, '9')},X`, /Row 2: .*When: /],
  ['no platform', 'A,2026-11-27 10:00,', /Platforms: missing/],
  ['no text', ',2026-11-27 10:00,X', /Row 2: \(no text\).*Enter some text/],
  ['too few cells', 'A', /Row 2: A.*Platforms: missing/],
  ['other separators', 'A;2026-11-27 10:00;X', /Row 2: A;2026-11-27 10:00;X/],
  ['tabs instead', 'A\t2026-11-27 10:00\tX', /Row 2: A/],
  ['a platform in other letters', 'A,2026-11-27 10:00,\u0425', /doesn't know/],
  ['a right-to-left override', 'A,\u202e2026-11-27 10:00,X', /Row 2: .*When: |09:00/],
  ['a text of a million words', `${big(90_000, 'a ')},2026-11-27 10:00,X`, /Row 2: .*|over the/],
  ['a link that is none', 'A,2026-11-27 10:00,"X, file:///etc/passwd"', /doesn't know/],
  ['a status in the platforms', 'A,2026-11-27 10:00,draft', /doesn't know/],
  ['a formula in each cell', '=A1,=B1,=C1', /Row 2: .*=A1/],
  ['a row number for a date', 'A,2,X', /Row 2: .*When: /],
  ['a fraction as the date', 'A,0.375,X', /Row 2: .*When: /],
  ['a week as the date', 'A,2026-W48,X', /Row 2: .*When: /],
]

async function seesAnswer(message: RegExp): Promise<void> {
  await vi.waitFor(() => expect(shown()).toMatch(message), MAX_WAIT)
  expect(await storedPosts()).toEqual([])
}

describe('a hostile table', () => {
  it('comes in at least 60 variants', () => {
    expect(REFUSED.length + ROWS.length).toBeGreaterThanOrEqual(60)
  })

  it.each(REFUSED)('is refused with %s', async (_name, content, message) => {
    await importFile('plan.csv', content)
    await seesAnswer(message)
  })

  it.each(ROWS)('says at the row what is wrong with %s', async (_name, row, message) => {
    await importFile('plan.csv', table(row))
    await vi.waitFor(() => expect(shown()).toMatch(/A good row/), MAX_WAIT)
    await seesAnswer(message)
  })

  it('is read in UTF-16 with a mark', async () => {
    await importFile('plan.csv', utf16(table()))
    await seesAnswer(/A good row/)
  })
})
