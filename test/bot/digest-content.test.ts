import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Morning, openMorning, PATIENCE } from './digest-morning.ts'

let upnext: Morning
let mara: Morning['mara']
beforeEach(async () => {
  upnext = await openMorning()
  mara = upnext.mara
})
afterEach(() => upnext.close())

describe('what a digest says', () => {
  const blocksOf = (message: { blocks?: unknown } | undefined) => JSON.stringify(message?.blocks)

  it('is folded where it is long, and unfolded and folded for all at a press', async () => {
    await upnext.schedulePosts(20)
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(1), PATIENCE)
    upnext.pass(13)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    expect(upnext.posted()[0]?.text).toMatch(/^Up next in Acme: 20 in the coming days \[/)
    expect(blocksOf(upnext.posted()[0])).toMatch(/Post 8\..*and 12 more/)
    expect(blocksOf(upnext.posted()[0])).not.toContain('Post 9.')
    const yuki = upnext.person('yuki')
    await yuki.pressLast('digest:turn:coming')
    await vi.waitFor(() => expect(blocksOf(upnext.posted()[0])).toMatch(/Post 20\..*Show less/), PATIENCE)
    await mara.pressLast('digest:turn:coming')
    await vi.waitFor(() => expect(blocksOf(upnext.posted()[0])).toContain('and 12 more'), PATIENCE)
    expect(blocksOf(yuki.lastMessage())).not.toContain('Post 9.')
  })

  it('can be unfolded for a month', async () => {
    await upnext.schedulePosts(10)
    await mara.run('/upnext digest now')
    await mara.hears(/and 2 more/)
    upnext.pass(31 * 24 * 60)
    await vi.waitFor(async () => {
      const { rows } = await upnext.service.pool.query('select from upnext.digest_content')
      expect(rows).toEqual([])
    }, PATIENCE)
    await mara.pressLast('digest:turn:coming')
    await mara.hears('This is too long ago to be unfolded.')
  })

  it('has a picture of the week, with the same in words', async () => {
    await upnext.schedulePosts(4)
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(1), PATIENCE)
    upnext.pass(13)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    const image = upnext.posted()[0]?.blocks?.find(({ type }) => type === 'image')
    expect(image).toMatchObject({
      slack_file: { id: expect.stringMatching(/^F/) },
      alt_text: expect.stringMatching(/^Posts of the week by day and platform\. .*: 4 on X, 1 on LinkedIn$/),
    })
  })

  it.each([
    ['Slack has not looked at it yet', 'chat.scheduleMessage', 'invalid_blocks', 2],
    ['Slack can fetch no picture at all', 'chat.scheduleMessage', 'invalid_blocks', 3],
    ['it cannot be uploaded', 'files.getUploadURLExternal', 'internal_error', 1],
  ])('comes without its picture where %s', async (_why, method, error, times) => {
    await upnext.schedulePosts(10)
    upnext.slack.controls.injectFault({ method, error, times })
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(1), PATIENCE)
    upnext.pass(13)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    expect(blocksOf(upnext.posted()[0])).toContain('Post 1.')
    expect(blocksOf(upnext.posted()[0])).not.toContain('slack_file')
    // Nor does it come back when it is unfolded.
    await mara.pressLast('digest:turn:coming')
    await vi.waitFor(() => expect(blocksOf(upnext.posted()[0])).toContain('Post 10.'), PATIENCE)
    expect(blocksOf(upnext.posted()[0])).not.toContain('slack_file')
  })

  it('may be nothing but the picture, which is something', async () => {
    await upnext.schedulePosts(2)
    await mara.run('/upnext digest')
    const { id } = await mara.form('Digest of a channel')
    const values = mara.fill({
      words: `every day at ${upnext.clockIn(12)}`,
      includes: ['picture'],
      if_empty: 'skip',
    })
    expect(await mara.submitView({ view: id, values })).toEqual({ done: true })
    await upnext.handedOver()
    upnext.pass(13)
    await vi.waitFor(() => expect(upnext.posted()).toHaveLength(1), PATIENCE)
    expect(JSON.stringify(upnext.posted()[0]?.blocks)).toMatch(/slack_file/)
    expect(JSON.stringify(upnext.posted()[0]?.blocks)).not.toContain('nothing')
  })

  it('is what comes after it is read, also where more went out since it was handed over', async () => {
    await upnext.schedulePosts(2)
    await upnext.service.pool.query(
      "update service.post set schedule_date = now() + interval '5 minutes' where content = 'Post 1.'",
    )
    await upnext.setUp(12)
    await vi.waitFor(() => expect(upnext.scheduled()).toHaveLength(1), PATIENCE)
    expect(JSON.stringify(upnext.scheduled())).toContain('Post 2.')
    expect(JSON.stringify(upnext.scheduled())).not.toContain('Post 1.')
  })

  it('is what went out, drafts with a date and what went wrong, too', async () => {
    const { pool } = upnext.service
    await upnext.schedulePosts(3)
    await pool.query(
      "update service.post set status = 'PUBLISHED', schedule_date = now() - interval '1 hour' where content = 'Post 1.'",
    )
    await pool.query("update service.post set status = 'DRAFT' where content = 'Post 2.'")
    await pool.query(
      "update service.post set schedule_date = now() - interval '3 days', status = 'PUBLISHED' where content = 'Post 3.'",
    )
    await mara.run('/upnext digest now')
    await mara.hears(
      /Up next in Acme: 1 went out, 1 with a date, and not scheduled[\s\S]*Nothing is scheduled\.[\s\S]*Went out[\s\S]*Post 1\.[\s\S]*Drafts with a date[\s\S]*Post 2\./,
    )
    expect(mara.told()).not.toContain('Post 3.')
  })
})
