import { DateTime } from 'luxon'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DigestWorkspace, MAX_WAIT, openDigestWorkspace } from './digest-workspace.ts'

let upnext: DigestWorkspace
let mara: DigestWorkspace['mara']
beforeEach(async () => {
  upnext = await openDigestWorkspace()
  mara = upnext.mara
})
afterEach(() => upnext.close())

const blocksOf = (message: { blocks?: unknown } | undefined) => JSON.stringify(message?.blocks)

/** Without the image, whose alternative text names every post. */
const textBlocksOf = (message: { blocks?: { type: string }[] } | undefined) =>
  JSON.stringify(message?.blocks?.filter(({ type }) => type !== 'image'))

/** Sets up a digest, and waits until it is in the channel. */
const postDigest = async () => {
  await upnext.setUpDigest(12)
  await upnext.waitForScheduled()
  upnext.advance(13)
  await upnext.waitForPosted()
}

const updatePost = (content: string, status: string, scheduleDate?: DateTime) =>
  upnext.service.pool.query(
    'update service.post set status = $2, schedule_date = coalesce($3, schedule_date) where content = $1',
    [content, status, scheduleDate?.toJSDate()],
  )

describe('the content of a digest', () => {
  it('says that a post waits for approval', async () => {
    await mara.run('/upnext approval')
    const { id: rule } = await mara.form('Approval')
    const values = mara.fill({ mode: 'required', approvers: [upnext.person('yuki').userId] })
    await mara.submitAndHear({ view: rule, values }, /need approval/)
    await mara.run('/schedule-post Launch day! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view: id, values: {} }, /Waiting for approval/)
    await postDigest()
    expect(textBlocksOf(upnext.posted()[0])).toMatch(/09:00 Launch day! · X · waiting for approval/)
  })

  it('is collapsed if it is long, and can be expanded and collapsed for everyone', async () => {
    await upnext.createPosts(20)
    await postDigest()
    expect(upnext.posted()[0]?.text).toMatch(/^Up next in Acme: 20 in the coming days$/)
    expect(blocksOf(upnext.posted()[0])).toMatch(/Post 8\..*Show 12 more/)
    expect(textBlocksOf(upnext.posted()[0])).not.toContain('Post 9.')
    const yuki = upnext.person('yuki')
    await yuki.pressLast('digest:expand:upcoming')
    await vi.waitFor(() => expect(blocksOf(upnext.posted()[0])).toMatch(/Post 20\..*Show less/), MAX_WAIT)
    await mara.pressLast('digest:expand:upcoming')
    await vi.waitFor(() => expect(blocksOf(upnext.posted()[0])).toContain('Show 12 more'), MAX_WAIT)
    expect(textBlocksOf(yuki.lastMessage())).not.toContain('Post 9.')
  })

  it('can be expanded for a month', async () => {
    await upnext.createPosts(10)
    await mara.run('/upnext digest now')
    await mara.hears(/Show 2 more/)
    upnext.advance(31 * 24 * 60)
    await vi.waitFor(async () => {
      const { rows } = await upnext.service.pool.query('select from upnext.digest_content')
      expect(rows).toEqual([])
    }, MAX_WAIT)
    await mara.pressLast('digest:expand:upcoming')
    await mara.hears('This digest is too old to expand.')
  })

  it('includes a calendar of the week, with the same posts as text', async () => {
    await upnext.createPosts(4)
    await postDigest()
    const image = upnext.posted()[0]?.blocks?.find(({ type }) => type === 'image')
    expect(image).toMatchObject({
      slack_file: { id: expect.stringMatching(/^F/) },
      alt_text: expect.stringMatching(/ time\)\. 21 Nov: 4 \(4 too close together\)\.$/),
    })
    expect(blocksOf(upnext.posted()[0])).toMatch(/Post 1\..*Post 4\./s)
  })

  it('marks posts that go out within 15 minutes of each other on a platform', async () => {
    await upnext.createPosts(4)
    const day = DateTime.fromJSDate(upnext.now()).plus({ days: 2 })
    await updatePost('Post 1.', 'SCHEDULED', day)
    await updatePost('Post 2.', 'SCHEDULED', day.plus({ minutes: 14 }))
    await updatePost('Post 3.', 'SCHEDULED', day.plus({ minutes: 29 }))
    await updatePost('Post 4.', 'DRAFT', day.plus({ minutes: 30 }))
    await postDigest()
    const notes = textBlocksOf(upnext.posted()[0]).match(/Post \d\. · [^:]*? · :warning: within 15 minutes/g)
    expect(notes?.map((note) => note.slice(0, 7))).toEqual(['Post 1.', 'Post 2.'])
  })

  it.each([
    ['is still being processed', 'chat.scheduleMessage', 'invalid_blocks', 2],
    ['cannot be uploaded', 'files.getUploadURLExternal', 'internal_error', 1],
  ])('leaves out a chart that %s', async (_reason, method, error, times) => {
    await upnext.createPosts(10)
    upnext.slack.controls.injectFault({ method, error, times })
    await postDigest()
    expect(blocksOf(upnext.posted()[0])).toContain('Post 1.')
    expect(blocksOf(upnext.posted()[0])).not.toContain('slack_file')
    // Expanding renders the version that Slack accepted.
    await mara.pressLast('digest:expand:upcoming')
    await vi.waitFor(() => expect(blocksOf(upnext.posted()[0])).toContain('Post 10.'), MAX_WAIT)
    expect(blocksOf(upnext.posted()[0])).not.toContain('slack_file')
  })

  it('may be only the chart, which counts as content', async () => {
    await upnext.createPosts(2)
    await mara.run('/upnext digest')
    const { id } = await mara.form('Channel digest')
    const typed = mara.fill({
      recurrence: `every day at ${upnext.timeIn(12)}`,
      sections: ['chart'],
      when_empty: 'skip',
    })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await upnext.waitForScheduled()
    upnext.advance(13)
    await upnext.waitForPosted()
    expect(blocksOf(upnext.posted()[0])).toContain('slack_file')
    expect(textBlocksOf(upnext.posted()[0])).not.toContain('Nothing')
  })

  const setUpChartOnly = async (minutes: number) => {
    await upnext.createPosts(2)
    await mara.run('/upnext digest')
    const { id } = await mara.form('Channel digest')
    const recurrence = `every day at ${upnext.timeIn(minutes)}`
    await mara.submitView({ view: id, values: mara.fill({ recurrence, sections: ['chart'] }) })
  }

  it('says that the chart is missing if it cannot be uploaded and is all of the content', async () => {
    upnext.slack.controls.injectFault({
      method: 'files.getUploadURLExternal',
      error: 'internal_error',
      times: 1000,
    })
    await setUpChartOnly(12)
    await upnext.waitForScheduled()
    upnext.advance(13)
    await upnext.waitForPosted()
    expect(textBlocksOf(upnext.posted()[0])).toContain("The image of the calendar couldn't be shown")
  })

  it('shows the coming days in `/upnext digest now` if only the calendar is selected', async () => {
    await setUpChartOnly(120)
    await mara.runAndHear('/upnext digest now', /Post 1/)
  })

  it('says that there are more posts than a digest contains', async () => {
    const from = DateTime.fromJSDate(upnext.now()).plus({ days: 1 }).toISO() ?? ''
    await upnext.service.addPosts(upnext.project, { count: 600, from })
    await postDigest()
    expect(upnext.posted()[0]?.text).toMatch(/^Up next in Acme: 500\+ in the coming days$/)
    const image = upnext.posted()[0]?.blocks?.find(({ type }) => type === 'image')
    expect(image).toMatchObject({
      alt_text: expect.stringMatching(/, incomplete\. \d+ \w+: 500 .*\)\.$/),
    })
    await mara.pressLast('digest:expand:upcoming')
    await vi.waitFor(
      () => expect(blocksOf(upnext.posted()[0])).toContain('Some posts may be missing here.'),
      MAX_WAIT,
    )
  })

  it('excludes posts that go out before the digest is posted', async () => {
    await upnext.createPosts(2)
    const soon = DateTime.fromJSDate(upnext.now()).plus({ minutes: 5 })
    await updatePost('Post 1.', 'SCHEDULED', soon)
    await upnext.setUpDigest(12)
    await upnext.waitForScheduled()
    expect(JSON.stringify(upnext.scheduled())).toContain('Post 2.')
    expect(JSON.stringify(upnext.scheduled())).not.toContain('Post 1.')
  })

  it('includes recently published posts and drafts with a date', async () => {
    await upnext.createPosts(3)
    const now = DateTime.fromJSDate(upnext.now())
    await updatePost('Post 1.', 'PUBLISHED', now.minus({ hours: 1 }))
    await updatePost('Post 2.', 'DRAFT')
    await updatePost('Post 3.', 'PUBLISHED', now.minus({ days: 3 }))
    await mara.run('/upnext digest now')
    await mara.hears(
      /Up next in Acme: 1 published, 1 draft with a date[\s\S]*Nothing is scheduled\.[\s\S]*Published[\s\S]*Post 1\.[\s\S]*Drafts with a date[\s\S]*Post 2\./,
    )
    expect(mara.lastText()).not.toContain('Post 3.')
  })
})

describe('the problems in a digest', () => {
  const addLog = (level: string, message: string, hours: number, count = 1) =>
    upnext.service.pool.query(
      `insert into service.log (project_id, level, action, message, actor, created_at)
        select $1, $2, case $2 when 'ERROR' then 'webhook.failed' else 'post.created' end, $3, 'scheduler', $4::timestamptz from generate_series(1, $5::int)`,
      [upnext.project, level, message, new Date(upnext.now().getTime() - hours * 3_600_000), count],
    )

  it('exclude an entry of a lower level, whatever it is about', async () => {
    await addLog('INFO', 'Created the prompt "Error messages with a smile".', 1)
    await upnext.mara.runAndHear('/upnext digest now', /Up next in Acme/)
    expect(upnext.mara.lastText()).not.toContain('Problems')
  })

  it('may be incomplete if too much has happened since the last one, and are complete otherwise', async () => {
    await addLog('ERROR', 'The webhook to acme.example was given up.', 20)
    await addLog('INFO', 'Scheduled a post.', 3, 501)
    await upnext.mara.runAndHear('/upnext digest now', /Up next in Acme[\s\S]*Problems[\s\S]*may be missing/)
    await upnext.service.pool.query("update service.log set created_at = created_at - interval '40 hours'")
    await addLog('INFO', 'Scheduled a post.', 30)
    await upnext.mara.runAndHear('/upnext digest now', /Up next in Acme/)
    expect(upnext.mara.lastText()).not.toContain('Problems')
  })
})
