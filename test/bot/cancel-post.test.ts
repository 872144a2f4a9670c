import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { hasSeen, MAX_WAIT } from './approval-requests.ts'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined

beforeAll(async () => {
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: (request) => respond(request),
  })
  mara = upnext.person('mara')
})
afterEach(async () => {
  respond = () => undefined
  await upnext.service.pool.query('delete from service.post')
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const addPost = ({ service, project }: Upnext, content: string, day?: string) =>
  insertPost(service.db, {
    project_id: project,
    content,
    timezone: 'UTC',
    platforms: ['X'],
    ...(day ? { status: 'SCHEDULED', schedule_date: new Date(`${day}T09:00Z`) } : { status: 'DRAFT' }),
  })
const schedule = (content: string, day = '2026-11-27') => addPost(upnext, content, day)
const countPosts = async () =>
  Number((await upnext.service.pool.query('select count(*) from service.post')).rows[0].count)

describe('cancelling a post', () => {
  it('asks with the whole post, cancels it, and replaces the question with the result', async () => {
    await schedule('Launch day!')
    await mara.runAndHear(
      '/upnext cancel launch',
      /Cancel this post\?.*can't be undone.*Launch day!.*Cancel post/s,
    )
    await mara.pressLast('cancel:confirm')
    await mara.hears(/Cancelled\. This post won't go out:.*Launch day!/s)
    expect(await countPosts()).toBe(0)
    await mara.runAndHear('/list-logs', /Cancelled a post for Fri 27 Nov 2026, 09:00 \(UTC\) on X/)
  })

  it('starts from the next post and from the list of posts', async () => {
    await schedule('Launch day!')
    await mara.runAndHear('/upnext posts', /Launch day!.*Cancel post/s)
    await mara.runAndHear('/upnext', /Up next in Acme.*Launch day!.*Cancel post/s)
    await mara.pickLast('Cancel post')
    await mara.hears(/Cancel this post\?.*Launch day!/s)
  })

  it('offers the posts whose text or day matches', async () => {
    await schedule('Coffee in the sun')
    await schedule('Coffee to go', '2026-11-29')
    await schedule('Tea', '2026-11-28')
    await mara.runAndHear('/upnext cancel coffee', /Which post.*Coffee in the sun.*Coffee to go/s)
    expect(mara.lastText()).not.toContain('Tea')
    await mara.runAndHear('/upnext cancel 28 nov', /Cancel this post\?.*Tea/s)
    await mara.runAndHear('/upnext cancel cocoa', /No scheduled post or draft was found/)
    await schedule('Until 28 Nov only')
    await mara.runAndHear('/upnext cancel 28 nov', /Which post.*Until 28 Nov only.*Tea/s)
  })

  it.each(['spring sale', 'here.  The', 'we’re back'])('finds a post by "%s"', async (words) => {
    await schedule("Spring is here.\nThe sale starts today, and we're back!")
    await mara.runAndHear(`/upnext cancel ${words}`, /Cancel this post\?.*Spring is here/s)
  })

  it('reads "28 nov" as a date, not as separate words', async () => {
    await schedule('Tea', '2026-11-28')
    await schedule('Vote for 128 innovations')
    await mara.runAndHear('/upnext cancel 28 nov', /Cancel this post\?.*Tea/s)
  })

  it('deletes a draft, with messages worded for drafts', async () => {
    await addPost(upnext, 'Half a thought')
    await mara.runAndHear('/upnext cancel half', /Delete this draft\?/)
    await mara.pressLast('cancel:confirm')
    await mara.hears(/Deleted this draft:.*Half a thought/s)
    expect(await countPosts()).toBe(0)
  })

  it('shows a change that was made since the question, and asks again', async () => {
    await schedule('Launch day!')
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await upnext.service.pool.query("update service.post set content = 'Launch week!', version = version + 1")
    await mara.pressLast('cancel:confirm')
    await mara.hears(/This post has changed since you saw it\..*Cancel this post\?.*Launch week!/s)
    await mara.pressLast('cancel:confirm')
    await mara.hears(/Cancelled/)
    expect(await countPosts()).toBe(0)
  })

  it('says if the post has just been published or is gone', async () => {
    await schedule('Launch day!')
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    await upnext.service.pool.query("update service.post set status = 'PUBLISHED', version = version + 1")
    await mara.pressLast('cancel:confirm')
    await mara.hears("This post is already published, so it can't be changed or cancelled.")
    await schedule('Another day')
    await mara.runAndHear('/upnext cancel another', /Cancel this post\?/)
    await upnext.service.pool.query('delete from service.post')
    await mara.pressLast('cancel:confirm')
    await mara.hears('This post was already cancelled.')
  })

  it("doesn't report a post as cancelled if the service fails", async () => {
    await schedule('Launch day!')
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    respond = ({ method }) =>
      method === 'DELETE' ? Response.json({ detail: 'Oops' }, { status: 500 }) : undefined
    await mara.pressLast('cancel:confirm')
    await mara.hears(/The scheduling service has a problem \(status 500\)/)
    expect(mara.lastText()).not.toContain('Cancelled')
    expect(await countPosts()).toBe(1)
    const { rows } = await upnext.service.pool.query(
      "select outcome from upnext.audit_entry where action = 'cancel:confirm' order by id desc limit 1",
    )
    expect(rows).toEqual([{ outcome: 'unclear' }])
  })
})

describe('a 404 that is not about the post', () => {
  it.each(['GET', 'DELETE'])("doesn't count as cancelled in response to %s", async (method) => {
    await schedule('Launch day!')
    await mara.runAndHear('/upnext cancel launch', /Cancel this post\?/)
    respond = (request) =>
      request.method === method && request.url.includes('/extensions/')
        ? Response.json({ detail: "This project doesn't exist." }, { status: 404 })
        : undefined
    await mara.pressLast('cancel:confirm')
    await mara.hears(
      method === 'GET' ? /This post won't go out/ : /can't find this: This project doesn't exist/,
    )
    expect(await countPosts()).toBe(method === 'GET' ? 0 : 1)
  })
})

describe('a service without the extension', () => {
  it('has no menu entry for cancelling, and the command explains why', async () => {
    const others = await openUpnext({
      relaxTimeouts: true,
      respond: withoutExtensions,
    })
    const tomas = others.person('mara')
    await addPost(others, 'Hi', '2026-11-27')
    await tomas.runAndHear('/upnext', /Up next in Acme/)
    expect(tomas.lastText()).not.toContain('Cancel post')
    await tomas.runAndHear(
      '/upnext cancel hi',
      /No post held in Upnext was found.*can only be changed there/s,
    )
    await others.close()
  })
})

describe("cancelling a colleague's post", () => {
  async function askToCancel(words: string) {
    const author = upnext.person('yuki')
    await author.run(`/schedule-post ${words} monday 9am on X`)
    const { id } = await author.form('Schedule a post')
    await author.submitAndHear({ view: id, values: {} }, /Scheduled in/)
    await mara.runAndHear('/upnext cancel', /Cancel this post\?/)
    return author
  }

  it("is announced to the author even if the post couldn't be read first", async () => {
    const author = await askToCancel('Coffee in the sun')
    respond = ({ method }) => (method === 'GET' ? new Response(null, { status: 503 }) : undefined)
    await mara.pressLast('cancel:confirm')
    await mara.hears(/Done\. This post won't go out/)
    expect(await countPosts()).toBe(0)
    await hasSeen(author, /cancelled your post.*Coffee in the sun/)
  })

  it('is announced to the author even if the first response was lost', async () => {
    const author = await askToCancel('Tea for two')
    respond = async (request) => {
      if (request.method !== 'DELETE') return undefined
      await fetch(request)
      return new Response(null, { status: 502 })
    }
    await mara.pressLast('cancel:confirm')
    await mara.hears(/The scheduling service has a problem \(status 502\)/)
    expect(await countPosts()).toBe(0)
    respond = () => undefined
    await mara.pressLast('cancel:confirm')
    // The answer replaces the question, which stands above the failure.
    const messages = () => JSON.stringify(mara.state().messages[mara.channel]?.slice(-2))
    await vi.waitFor(() => expect(messages()).toMatch(/Done\. This post won't go out/), MAX_WAIT)
    await hasSeen(author, /cancelled your post.*Tea for two/)
  })
})
