import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { pickFile, takePhoto } from './media/sample-files.ts'
import { planner } from './planner.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member

beforeEach(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const MAX_WAIT = { timeout: 60_000, interval: 20 }
const plans = planner(() => ({ upnext, mara }))
const { seesReview, shown, directMessages, waitForDirectMessage, storedPosts, press } = plans
const { importText, importFile } = plans

async function schedule(lines: string): Promise<void> {
  await importText(lines)
  await seesReview(/Schedule/)
  await press('plan:schedule')
  await waitForDirectMessage(/Saved/)
  await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
}

/** Exports posts, and returns the text of the file. */
async function exported(words = 'next week'): Promise<string> {
  const count = sharedFiles().length
  await mara.runAndHear(`/upnext export ${words}`, /the file is in your messages from Upnext/)
  await vi.waitFor(() => expect(sharedFiles()).toHaveLength(count + 1), MAX_WAIT)
  const url = (sharedFiles().at(-1) as { url_private?: string }).url_private
  return (await fetch(`${url}?session=${mara.sessionId}`)).text()
}

const sharedFiles = () =>
  Object.entries(mara.state().messages)
    .filter(([channel]) => channel.startsWith('D'))
    .flatMap(([, messages]) => messages.flatMap(({ files = [] }) => files))

const POSTS = `Stollen is here monday 9am on X
Launch day! tuesday 5pm on LinkedIn and X
Behind the scenes wednesday 12:30 on Instagram https://acme.example/lamp.jpg`

describe('an exported week', () => {
  it('changes nothing when it comes back as it is', async () => {
    await schedule(POSTS)
    const csv = await exported()
    expect(parse(csv, { bom: true, columns: true })).toMatchObject([
      {
        Text: 'Stollen is here',
        Date: '2026-11-23 09:00',
        'Time zone': 'Europe/Berlin',
        Platforms: 'X',
        'Media link': '',
        Status: 'scheduled',
      },
      { Text: 'Launch day!', Platforms: 'LINKEDIN, X' },
      { Text: 'Behind the scenes', 'Media link': 'https://acme.example/lamp.jpg' },
    ])
    await importFile('posts.csv', csv)
    await waitForDirectMessage(/No row has changed since the export/)
  })

  it('shows the text of single platforms, which its sheet leaves as it is', async () => {
    await schedule('Sale: 20% off monday 9am on X and LinkedIn')
    await upnext.service.pool.query(`update service.post set texts = '{"X": "20% off!"}'`)
    const csv = await exported()
    await importFile('posts.csv', csv.replace('Sale: 20% off', 'Sale: 10% off'))
    await seesReview(/Sale: 10% off.*Text on X: \\"20% off!\\"/)
  })

  it('says that a changed text is not used if each platform has its own', async () => {
    await schedule('Sale: 20% off monday 9am on X')
    await upnext.service.pool.query(`update service.post set texts = '{"X": "20% off!"}'`)
    const csv = await exported()
    await importFile('posts.csv', csv.replace('Sale: 20% off', 'Sale: 10% off'))
    await seesReview(/Row 2.*not used, because each platform has its own text/)
  })

  it('says what is wrong with an id or a version that is missing', async () => {
    await schedule('Stollen is here monday 9am on X')
    const csv = (await exported()).replace('Stollen is', 'Stollen are')
    const unknown = /Row 2.*This project has no post with this id/
    for (const id of ['A-17', '11111111-2222-4333-8444-555555555555']) {
      await importFile('posts.csv', csv.replace(/^"[0-9a-f-]{36}"/m, `"${id}"`))
      await seesReview(unknown)
      await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
    }
    await importFile('posts.csv', csv.replace(/^("[0-9a-f-]{36}"),"[^"]*"/m, '$1,""'))
    await seesReview(/Row 2.*The row has no version/)
  })

  it("doesn't report a change as saved while it waits for approval", async () => {
    await schedule('Stollen is here monday 9am on X')
    await mara.run('/upnext approval')
    const { id: view } = await mara.form('Approval')
    const rule = mara.fill({ mode: 'required', approvers: [upnext.person('yuki').userId], options: [] })
    await mara.submitAndHear({ view, values: rule }, /need approval/)
    const csv = await exported()
    await importFile('posts.csv', csv.replace('Stollen is', 'Stollen are'))
    await seesReview(/Save 1 post/)
    await press('plan:schedule')
    await waitForDirectMessage(/1 post waits for approval/)
    await upnext.settled()
    expect((await storedPosts()).map(({ content }) => content)).toEqual(['Stollen is here'])
    expect(directMessages().filter((text) => /Saved 1 post/.test(text))).toHaveLength(1)
    expect(directMessages().join()).not.toContain('This change is waiting')
  })

  it('asks for approval of all its changes in one message', async () => {
    await schedule(POSTS)
    const yuki = upnext.person('yuki')
    await mara.run('/upnext approval')
    const { id: view } = await mara.form('Approval')
    const rule = mara.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
    await mara.submitAndHear({ view, values: rule }, /need approval/)
    const csv = await exported()
    const changed = csv.replace('Stollen is', 'Stollen are').replace('Launch day!', 'Launch week!')
    const row = parse(csv, { bom: true })[1] as string[]
    const header = parse(csv, { bom: true })[0] as string[]
    const cells = header.map((name, index) =>
      /(id|version)$/.test(name) ? '' : name === 'Text' ? 'A new one' : (row[index] ?? ''),
    )
    await importFile('posts.csv', `${changed}${cells.map((cell) => `"${cell}"`).join()}\r\n`)
    await seesReview(/Save all 3 posts/)
    await press('plan:schedule')
    const requests = () =>
      Object.entries(yuki.state().messages)
        .filter(([channel]) => channel.startsWith('D'))
        .flatMap(([, messages]) => messages.map(({ blocks = [] }) => JSON.stringify(blocks)))
        .filter((shown) => shown.includes('your approval'))
    await vi.waitFor(() => expect(requests().join()).toMatch(/Approve all 3/), MAX_WAIT)
    expect(requests()).toHaveLength(1)
    expect(requests()[0]).toMatch(/approval of 1 post and 2 changes in/)
    expect(requests()[0]).toMatch(/ · change: Stollen are here.*Before: Stollen is here/)
    expect(requests()[0]).not.toMatch(/ · change: A new one/)
    await yuki.pressLast('approval:approve-all')
    await vi.waitFor(
      async () =>
        expect((await storedPosts()).map(({ content }) => content).sort()).toEqual(
          ['A new one', 'Behind the scenes', 'Launch week!', 'Stollen are here'].sort(),
        ),
      MAX_WAIT,
    )
  })

  it('asks for approval of 20 long changes in one message', async () => {
    const content = `Number ${'*long* & '.repeat(12)}`.trim()
    await upnext.service.pool.query(
      `insert into service.post (project_id, content, timezone, platforms, status, schedule_date)
        select $1, $2 || n, 'UTC', array['X'], 'SCHEDULED', $3::timestamptz + n * interval '1 day'
        from generate_series(1, 20) n`,
      [upnext.project, content, upnext.now().toISOString()],
    )
    const yuki = upnext.person('yuki')
    await mara.run('/upnext approval')
    const { id: view } = await mara.form('Approval')
    const rule = mara.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
    await mara.submitAndHear({ view, values: rule }, /need approval/)
    const csv = await exported('next 30 days')
    await importFile('posts.csv', csv.replaceAll('Number', 'No.'))
    await seesReview(/Save all 20 posts/)
    await press('plan:schedule')
    const shown = () => JSON.stringify(Object.values(yuki.state().messages).flat())
    await vi.waitFor(() => expect(shown()).toMatch(/20 changes in.*Approve all 20/), MAX_WAIT)
    upnext.wait({ minutes: 23 * 60 })
    await vi.waitFor(() => expect(shown()).toMatch(/still need/), MAX_WAIT)
  })

  it('keeps the description of an image only as long as the image', async () => {
    await schedule('Our lamp monday 9am on X https://acme.example/lamp.jpg')
    await upnext.service.pool.query("update service.post set media_description = 'A red lamp'")
    const csv = await exported()
    await importFile('posts.csv', csv.replace('Our lamp', 'Our chair'))
    await seesReview(/Our chair/)
    await press('plan:fix')
    const { id } = await mara.form('Change a row')
    await mara.submitView({ view: id, values: mara.fill({ Media: 'https://acme.example/chair.jpg' }) })
    await seesReview(/other media/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    const { rows } = await upnext.service.pool.query('select media, media_description from service.post')
    expect(rows).toEqual([{ media: 'https://acme.example/chair.jpg', media_description: null }])
  })

  it('shows a change at the end of a long text', async () => {
    const details = 'with a warmer light, a longer cable and a switch that is easy to find '.repeat(3)
    await schedule(`Our lamp is back, ${details}for 20 EUR monday 9am on LinkedIn`)
    const csv = await exported()
    await importFile('posts.csv', csv.replace('20 EUR', '2 EUR'))
    await seesReview(/Save 1 post/)
    expect(shown()).toMatch(/Text: [^\n]*… ?[^\n]*for 2 EUR.*Before: [^\n]*for 20 EUR/s)
  })

  it('keeps the description of an upload in the copy of a row', async () => {
    await mara.run('/schedule-post Launch day! monday 9am on LinkedIn')
    const form = await mara.form('Schedule a post')
    const MediaFile = [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())]
    await mara.submitView({ view: form.id, values: mara.fill({ MediaFile, AltText: 'A lamp on a desk' }) })
    const query = 'select media, media_description from service.post order by schedule_date'
    const posts = async () => (await upnext.service.pool.query(query)).rows
    await vi.waitFor(async () => expect(await posts()).toHaveLength(1), MAX_WAIT)
    await upnext.settled()
    const csv = await exported()
    const copy = csv.replace(/\n"[^"]*","[^"]*"/, '\n"",""').replace('2026-11-23', '2026-11-25')
    await importFile('posts.csv', copy.replace('Launch day!', 'Second day!'))
    await seesReview(/Schedule 1 post.*Image description: A lamp on a desk/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    const [original, other] = await posts()
    expect(other).toEqual(original)
    expect(original.media_description).toBe('A lamp on a desk')
  })

  it('changes the posts whose rows changed, adds rows without an id, and cancels nothing', async () => {
    await schedule(POSTS)
    const csv = await exported()
    const lines = csv.trimEnd().split('\r\n')
    const changed = [
      lines[0],
      lines[1]?.replace('Stollen is here', 'Stollen are here').replace('09:00', '10:00'),
      lines[3],
      ',,"A new one","2026-11-27 16:00","Europe/Berlin","X","","scheduled"',
    ].join('\n')
    await importFile('posts.csv', changed)
    await seesReview(
      /\*2 posts\* for Acme.*1 post in the file is unchanged.*undo this plan for 10 minutes, except for 1 change to existing posts.*Save all 2 posts.*10:00\* {2}Stollen are here · X\\nBefore: Mon 23 Nov, 09:00 Berlin.*Stollen is here.*A new one/,
    )
    expect(shown()).not.toContain('plan:drafts')
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 2 posts/)
    expect((await storedPosts()).map(({ content }) => content)).toEqual([
      'Stollen are here',
      'Launch day!',
      'Behind the scenes',
      'A new one',
    ])
  })

  it('keeps the values of fields that have no column', async () => {
    await schedule(POSTS)
    const rows: Record<string, string>[] = parse(await exported(), { bom: true, columns: true })
    const cells = rows.map((row) => [row['Upnext id'], row['Upnext version'], `${row.Text}!!`])
    await importFile('posts.csv', [['Upnext id', 'Upnext version', 'Text'], ...cells].join('\n'))
    await seesReview(/\*3 posts\* for Acme/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 3 posts/)
    const rest = 'select content, platforms, media, timezone from service.post order by schedule_date'
    expect((await upnext.service.pool.query(rest)).rows).toMatchObject([
      { content: 'Stollen is here!!', platforms: ['X'], timezone: 'Europe/Berlin' },
      { content: 'Launch day!!!', platforms: ['LINKEDIN', 'X'] },
      { content: 'Behind the scenes!!', media: 'https://acme.example/lamp.jpg' },
    ])
  })

  it('fixes a row in the time zone of its post if the sheet has no column for it', async () => {
    // Yuki is in Tokyo.
    const yuki = upnext.person('yuki')
    await yuki.run('/schedule-post Tokyo launch monday 9am on X')
    const { id: view } = await yuki.form('Schedule a post')
    await yuki.submitAndHear({ view, values: {} }, /Scheduled in Acme/)
    const [post = {}]: Record<string, string>[] = parse(await exported(), { bom: true, columns: true })
    const row = [
      post['Upnext id'],
      post['Upnext version'],
      'Tokyo launch!',
      '2026-11-23 10:00',
      'X; Mastodon',
    ]
    await importFile('posts.csv', `Upnext id,Upnext version,Text,Date,Platforms\n${row.join()}`)
    await seesReview(/Row 2: Tokyo launch!.*Upnext doesn't know \\"Mastodon\\"/)
    await press('plan:fix')
    const { id } = await mara.form('Change a row')
    await seesReview(/Mon 23 Nov, 10:00 Tokyo.*02:00 for you/)
    await mara.submitView({ view: id, values: mara.fill({ Platforms: ['X'] }) })
    await seesReview(/Save 1 post.*02:00\* {2}Tokyo launch!/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    expect(await storedPosts()).toMatchObject([
      { content: 'Tokyo launch!', schedule_date: new Date('2026-11-23T01:00:00Z') },
    ])
  })

  it("keeps a draft's passed date, in the sheet and in Fix", async () => {
    await schedule('Stollen is here monday 9am on X')
    const saved =
      "update service.post set status = 'DRAFT', schedule_date = '2026-11-16T08:00Z', timezone = 'Europe/Berlin'"
    await upnext.service.pool.query(saved)
    const csv = await exported('this week')
    await importFile('posts.csv', csv)
    await waitForDirectMessage(/No row has changed since the export/)
    await importFile('posts.csv', csv.replace('Stollen is', 'Stollen are').replace('"X"', '"X, Mastodon"'))
    await seesReview(/Row 2: Stollen are here.*Upnext doesn't know \\"Mastodon\\"/)
    expect(shown()).not.toContain('in the past')
    await press('plan:fix')
    const { id } = await mara.form('Change a row')
    await mara.submitView({ view: id, values: mara.fill({ Platforms: ['X'] }) })
    await seesReview(/Save 1 post/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    expect(await storedPosts()).toMatchObject([
      { content: 'Stollen are here', status: 'DRAFT', schedule_date: new Date('2026-11-16T08:00:00Z') },
    ])
  })

  it.each([
    ['16.11.2026 09:00', 'Europe/Berlin'],
    ['11/16/2026 9:00', 'Europe/Berlin'],
    ['46342.375', 'Europe/Berlin'],
    ['2026-11-16 09:00:00', ''],
  ])('reads the passed date of a draft as a spreadsheet writes it: %s', async (date, zone) => {
    await schedule('Stollen is here monday 9am on X')
    await upnext.service.pool.query(
      "update service.post set status = 'DRAFT', schedule_date = '2026-11-16T08:00Z'",
    )
    const csv = await exported('this week')
    await importFile('posts.csv', csv.replace('2026-11-16 09:00', date).replace('Europe/Berlin', zone))
    await waitForDirectMessage(/No row has changed since the export/)
  })

  it('counts posts that were published since the export as unchanged', async () => {
    await schedule('Stollen is here monday 9am on X\nTea is here friday 27 nov 9am on X')
    const csv = await exported()
    const publish = "update service.post set status = 'PUBLISHED' where content like 'Stollen%'"
    await upnext.service.pool.query(publish)
    upnext.wait({ minutes: 4 * 24 * 60 })
    await importFile('posts.csv', csv)
    await waitForDirectMessage(/No row has changed since the export/)
  })

  it('changes the text of a post whose linked image has a description', async () => {
    await schedule('Our lamp monday 9am on X https://acme.example/lamp.jpg')
    await upnext.service.pool.query("update service.post set media_description = 'A red lamp'")
    const csv = await exported()
    await importFile('posts.csv', csv.replace('Our lamp', 'Our chair'))
    await seesReview(/Save 1 post/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    const { rows } = await upnext.service.pool.query('select content, media_description from service.post')
    expect(rows).toEqual([{ content: 'Our chair', media_description: 'A red lamp' }])
  })

  it('reads a new time for a changed row from the time that the row shows', async () => {
    await schedule('Stollen is here monday 9am on X')
    const csv = await exported()
    const moved = csv.replace('2026-11-23', '2026-11-27')
    const withProblem = moved.replace('"X"', '"X, Mastodon"')
    for (const [changed, words] of [
      [moved, '1 hour later'],
      [withProblem, '1 hour later'],
      [moved, '10:00'],
    ] as const) {
      await importFile('posts.csv', changed)
      await seesReview(/Friday 27 November|Row 2/)
      await press('plan:fix')
      const { id } = await mara.form('Change a row')
      const values = mara.fill({ ScheduleDate: words, Platforms: ['X'] })
      await mara.submitView({ view: id, values })
      await seesReview(/Friday 27 November.*10:00/)
      await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
    }
  })

  it('says that a post of the project gets no free slot', async () => {
    await schedule('Stollen is here monday 9am on X')
    const csv = await exported()
    await importFile(
      'posts.csv',
      csv.replace('2026-11-23 09:00', 'next free slot').replace('Europe/Berlin', ''),
    )
    await seesReview(/Row 2.*only rows without an id get a free slot/)
  })

  it('shows both versions of a post that someone changed since, and replaces it only after Fix', async () => {
    await schedule(POSTS)
    const csv = await exported()
    await upnext.service.pool.query(
      "update service.post set content = 'Launch week!', version = version + 1 where content = 'Launch day!'",
    )
    await importFile('posts.csv', csv.replace('Launch day!', 'Launch night!'))
    await seesReview(
      /Row 3: \*Tue 24 Nov 17:00\* {2}Launch night!.*This post was changed after the export.*Before: .*Launch week!/,
    )
    expect(shown()).not.toContain('plan:schedule')
    await press('plan:fix')
    const { id } = await mara.form('Change a row')
    await upnext.settled()
    await mara.submitView({ view: id, values: {} })
    await seesReview(/Save 1 post/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    expect((await storedPosts()).map(({ content }) => content)).toContain('Launch night!')
  })

  it('names rows whose post is gone, and rows with the same id', async () => {
    await schedule(POSTS)
    const lines = (await exported()).trimEnd().split('\r\n')
    await upnext.service.pool.query("delete from service.post where content = 'Launch day!'")
    const [heading, first = '', second = ''] = lines
    const changed = [heading, first.replace('Stollen', 'Cake'), second.replace('Launch', 'Lunch'), first]
    await importFile('posts.csv', changed.join('\r\n'))
    await seesReview(
      /Row 3: Lunch day!.*This project has no post with this id.*Row 4: .*Another row has the same id/,
    )
    expect(shown()).toContain('Save 1 post, skip 2')
    // A fixed row would be a second post.
    expect(shown().match(/"text":"(?:Fix|Change)"/g)).toEqual(['"text":"Change"'])
  })

  it('schedules copies of its rows without their ids, with the text as it was', async () => {
    await schedule('=1+1 is two monday 9am on X')
    const [heading, row = ''] = (await exported()).trimEnd().split('\r\n')
    expect(row).toContain('"\'=1+1 is two"')
    const copy = row.replace(/^"[^"]*","[^"]*"/, '"",""').replace('2026-11-23', '2026-11-24')
    await importFile('posts.csv', [heading, row, copy].join('\r\n'))
    await seesReview(/Schedule 1 post/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 1 post/)
    expect((await storedPosts()).map(({ content }) => content)).toEqual(['=1+1 is two', '=1+1 is two'])
  })

  it('does not call a post close to itself when its row changes again', async () => {
    await schedule(POSTS)
    const csv = (await exported()).replace('09:00', '09:05')
    await importFile('posts.csv', csv)
    await seesReview(/\*1 post\* for Acme.*09:05\* {2}Stollen is here/)
    expect(shown()).not.toContain('Worth a look')
    await press('plan:fix')
    const { id } = await mara.form('Change a row')
    await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: 'monday 9:10' }) })
    await seesReview(/09:10\* {2}Stollen is here/)
    expect(shown()).not.toContain('Worth a look')
  })

  it('notifies the author of changed posts once, and sends its importer only the summary', async () => {
    const yuki = upnext.person('yuki')
    for (const post of ['Yuki speaks tuesday 9am on X', 'Yuki sings wednesday 9am on X']) {
      await yuki.run(`/schedule-post ${post}`)
      const { id } = await yuki.form('Schedule a post')
      await yuki.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
    }
    await schedule('Stollen is here monday 9am on X')
    const csv = await exported()
    await importFile(
      'posts.csv',
      csv.replace('Yuki speaks', 'Yuki talks').replaceAll('"scheduled"', '"draft"'),
    )
    await seesReview(/You can't undo this plan, because it only changes existing posts\..*Save all 3 posts/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 3 posts/)
    await upnext.settled()
    const messagesTo = (member: Member) =>
      Object.entries(member.state().messages)
        .filter(([channel]) => channel.startsWith('D'))
        .flatMap(([, messages]) => messages.map(({ text = '' }) => text))
    const draft = "· X\\. It's a draft, so it won't go out\\."
    expect(messagesTo(yuki)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^<@U\\w+> changed 2 of your posts in Acme:\n• "Yuki talks" · Tue 24 Nov 2026, 09:00 Tokyo .* ${draft}\n• "Yuki sings" · .* ${draft}$`,
        ),
      ),
    ])
    expect(messagesTo(mara).filter((text) => /Yuki|Stollen/.test(text))).toEqual([])
  })

  it('names ten of the posts to an author of more', async () => {
    const yuki = upnext.person('yuki')
    const theirs = planner(() => ({ upnext, mara: yuki }))
    await theirs.importText(
      Array.from({ length: 12 }, (_, index) => `Part ${index} monday ${index + 8}:00 on X`).join('\n'),
    )
    await theirs.seesReview(/Schedule all 12 posts/)
    await theirs.press('plan:schedule')
    await theirs.waitForDirectMessage(/Saved 12 posts/)
    await importFile('posts.csv', (await exported()).replaceAll('Part', 'Piece'))
    await seesReview(/Save all 12 posts/)
    await press('plan:schedule')
    await waitForDirectMessage(/Saved 12 posts/)
    await theirs.waitForDirectMessage(
      /changed 12 of your posts in Acme:(?:\n• "Piece \d".*){10}\nAnd 2 more\.$/,
    )
  })

  it('reports an unknown status even if nothing else has changed', async () => {
    await schedule(POSTS)
    const [heading, first = ''] = (await exported()).trimEnd().split('\r\n')
    await importFile('posts.csv', [heading, first.replace('"scheduled"', '"Cancelled"')].join('\r\n'))
    await seesReview(
      /Row 2: .*\\"Cancelled\\" isn't a status\. Write \\"scheduled\\" or \\"draft\\"\. To cancel a post, use \/upnext cancel\./,
    )
  })

  it('is a private file for people who may write, and is audited', async () => {
    await schedule(POSTS)
    await exported()
    await mara.runAndHear('/upnext audit export', /export/)
    expect(
      upnext
        .person('yuki')
        .state()
        .messages[mara.channel]?.flatMap(({ files = [] }) => files),
    ).toEqual([])
  })
})

// biome-ignore format: each line has texts of one kind
const PARTS = [
  '=1+1', '+49 30 1234', '-5 %', '@acme', "'", "''=", "'=HYPERLINK(1)", '\t=x', '＝1', ';', ',', '"', '""', '\n', '\r\n', '  ',
  'Launch day!', 'größer', '発売🎉', 'مرحبا', ':tada:', '&amp;', '<b>', '3/4', '1e5', '007', 'TRUE', 'NULL', '|', '\\',
]
const SOME_POST = fc.record({
  content: fc
    .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 })
    .map((parts) => `${parts.join('')}.`),
  // Some of these times are there twice or not at all, because clocks change.
  schedule_date: fc
    .integer({ min: 0, max: 365 * 24 * 4 })
    .map((quarters) => new Date(Date.UTC(2027, 0, 1, 0, quarters * 15, 30))),
  near: fc.constantFrom(0, 1, 2),
  timezone: fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'UTC',
    'Etc/GMT+3',
    'Australia/Lord_Howe',
  ),
  platforms: fc.subarray(['X' as const, 'LINKEDIN' as const, 'THREADS' as const], { minLength: 1 }),
  media: fc.constantFrom(null, 'https://acme.example/lamp.jpg', 'https://acme.example/a?b=1&c=%22,%22'),
  status: fc.constantFrom('SCHEDULED' as const, 'DRAFT' as const),
})
const CLOCKS_GO_BACK = [Date.UTC(2027, 9, 31, 0, 30), Date.UTC(2027, 10, 7, 5, 30)]

it('reads every exported post as unchanged', async () => {
  const project_id = upnext.project
  const posts = fc.sample(SOME_POST, { numRuns: 150, seed: 7 })
  for (const { near, ...post } of posts) {
    const schedule_date = near
      ? new Date((CLOCKS_GO_BACK[near - 1] ?? 0) + (+post.schedule_date % 9e6))
      : post.schedule_date
    await insertPost(upnext.service.db, { project_id, ...post, schedule_date })
  }
  const csv = await exported('from 1 jan 2027 to 31 dec 2027')
  const cells: string[] = parse(csv, { bom: true }).flat()
  expect(cells.length).toBeGreaterThan(1000)
  expect(cells.filter((cell) => /^[=+\-@\t\r＝]/.test(cell))).toEqual([])
  await importFile('posts.csv', csv)
  await vi.waitFor(
    () => expect(shown()).toMatch(/No row has changed since the export|posts? for Acme/),
    MAX_WAIT,
  )
  expect(shown()).toContain('No row has changed since the export')
})
