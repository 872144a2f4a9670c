import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { startHttpServer } from '../support/servers.ts'
import { BAD_POST, openPublishingWorkspace, type PublishingWorkspace } from './publishing-workspace.ts'

let upnext: PublishingWorkspace
const admins: string[] = []
beforeEach(() => open())
afterEach(() => upnext.close())

async function open(options: Parameters<typeof openPublishingWorkspace>[0] = {}) {
  upnext = await openPublishingWorkspace({ admins, ...options })
  admins.splice(0, admins.length, upnext.mara.userId)
}

type NewAccount = { platform: 'THREADS' | 'X'; publisher: 'TELEGRAM' | 'WEBHOOK'; target: string }

async function addAccount({ platform, publisher, target }: NewAccount) {
  const { telegram, service, project: project_id } = upnext
  if (publisher === 'TELEGRAM')
    telegram.addChat({ id: Number(target), type: 'channel', title: platform, botStatus: 'administrator' })
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const account = await saveAccount(service.db, {
    project_id,
    platform,
    publisher,
    name: `Our ${platform}`,
    settings: '{}',
    target,
    credentials: publisher === 'TELEGRAM' ? '123456:telegram-token-of-the-test' : secret,
    checked_at: upnext.now(),
  })
  await connectAccount(service.db, account)
}
const THREADS: NewAccount = { platform: 'THREADS', publisher: 'TELEGRAM', target: '-1009' }
const dms = () => upnext.directMessages().join()
async function publishAt(time: string) {
  await upnext.passTo(time)
  await upnext.hearOfResults()
}

describe('a post that is out on one of its platforms only', () => {
  it('says so in the week and in the digest', async () => {
    await upnext.addTelegram()
    await addAccount(THREADS)
    upnext.telegram.plan(({ chat }) => (chat === '-1009' ? BAD_POST : undefined))
    await upnext.schedule('Launch day!', { platforms: 'Telegram and Threads' })
    await publishAt('14:00')
    await upnext.mara.runAndHear('/upnext week', /Launch day!.* · failed on some platforms/)
    await upnext.passTime({ minutes: 10 })
    await upnext.mara.runAndHear('/upnext digest now', /Launch day!.* · failed on some platforms/)
  })

  it('is tried again where an account is connected', async () => {
    await upnext.addTelegram()
    await addAccount(THREADS)
    await addAccount({ ...THREADS, platform: 'X', target: '-1008' })
    upnext.telegram.plan(({ chat }) => (chat === '-1008' ? undefined : BAD_POST))
    await upnext.schedule('Launch day!', { platforms: 'Telegram, Threads and X' })
    await publishAt('14:00')
    await upnext.service.pool.query(
      "update service.account set is_connected = false where platform = 'THREADS'",
    )
    upnext.telegram.plan(() => undefined)
    await upnext.mara.runAndHear('/upnext retry launch', /Try again/)
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('Publishing on Telegram (Acme) now. No account is connected for Threads.')
    await upnext.hearOfResults()
    expect(upnext.telegram.sent.map(({ chat }) => chat).sort()).toEqual([-1001234567890, -1008])
  })
})

describe('a post that failed', () => {
  it.each([
    ['on its only platform', 'Telegram'],
    ['on one of its platforms', 'Telegram and Threads'],
  ])('does not count as a duplicate where it failed: %s', async (_where, platforms) => {
    await addAccount(THREADS)
    await upnext.addTelegram()
    upnext.telegram.plan(({ chat }) => (chat === THREADS.target ? undefined : BAD_POST))
    await upnext.schedule('Launch day!', { platforms })
    await publishAt('14:00')
    await upnext.mara.run('/schedule-post Launch day! today 16:00 Berlin time on Telegram')
    const { id } = await upnext.mara.form('Schedule a post')
    await upnext.mara.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
  })
})

describe('a post that may be out', () => {
  it('is not called published in the week', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => ({ kind: 'dropped' }))
    await upnext.schedule('Launch day!')
    await publishAt('14:00')
    await upnext.mara.runAndHear('/upnext week', /Launch day!.* · may not be published/)
  })

  it('leads to an alert that says how to decide, even if it is about several posts', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => ({ kind: 'lost' }))
    await upnext.schedule('Post 1', { time: '14:00' })
    await upnext.schedule('Post 2', { time: '14:01' })
    await upnext.passTo('14:00')
    await publishAt('14:01')
    await upnext.checkOften()
    expect(dms()).toMatch(
      /Acme \(2 posts\):\* May already be out.*Check on the platform whether it's out, then use `\/upnext retry`/,
    )
  })
})

describe('an alert', () => {
  it('follows a retry after its earlier alert has expired', async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => BAD_POST)
    await upnext.schedule('Launch day!')
    await publishAt('14:00')
    await upnext.waitFor(() => expect(upnext.directMessages()).toHaveLength(2))
    for (let count = 0; count < 16; count++) {
      await upnext.passTime({ minutes: 12 * 60 })
      await upnext.settled()
    }
    const count = upnext.directMessages().length
    await upnext.press('Try again', /Not published: Acme/)
    await upnext.mara.hears(/Telegram failed/)
    await upnext.mara.pressLast('retry:post')
    await upnext.mara.hears('Publishing on Telegram (Acme) now.')
    await upnext.hearOfResults()
    await upnext.checkOften()
    await upnext.waitFor(() =>
      expect(upnext.directMessages().slice(count).join()).toMatch(/Not published on Telegram/),
    )
  })

  it('does not say that a post failed again on a platform where it is out', async () => {
    await upnext.addTelegram()
    await addAccount(THREADS)
    upnext.telegram.plan(({ chat, index }) =>
      index > 1 ? undefined : chat === '-1009' ? { kind: 'lost' } : BAD_POST,
    )
    await upnext.schedule('Launch day!', { platforms: 'Telegram and Threads' })
    await publishAt('14:00')
    await upnext.checkOften()
    await upnext.press('Try again', /Not published on Telegram \(Acme\)/)
    await upnext.mara.hears('Publishing on Telegram (Acme) now')
    await upnext.hearOfResults()
    await upnext.checkOften()
    await upnext.waitFor(() => expect(dms()).toMatch(/Resolved in Acme/))
    expect(dms()).not.toMatch(/Failed again/)
  })

  it('about several posts does not name one that is published by now', async () => {
    await upnext.addTelegram()
    await upnext.mara.runAndHear('/upnext alerts here', /turned on alerts/)
    upnext.telegram.plan(() => BAD_POST)
    for (const [text, time] of [
      ['Post 1', '14:00'],
      ['Post 2', '14:01'],
      ['Post 3', '16:00'],
    ] as const)
      await upnext.schedule(text, { time })
    await upnext.passTo('14:00')
    await publishAt('14:01')
    await upnext.checkOften()
    upnext.telegram.plan(({ text }) => (/Post 1/.test(text) ? undefined : BAD_POST))
    await upnext.mara.runAndHear('/upnext retry Post 1', /Try again/)
    await upnext.mara.pressLast('retry:post')
    await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
    await upnext.hearOfResults()
    await publishAt('16:00')
    await upnext.checkOften()
    const alerts = upnext.inChannel().filter((text) => /Not published on Telegram/.test(text))
    expect(alerts.join()).toMatch(/Post 3/)
    expect(alerts.join()).not.toMatch(/Post 1/)
  })
})

describe('the message to the author', () => {
  it('says that a post is published after the program of a webhook has corrected itself', async () => {
    await upnext.close()
    await open({ publishing: { allowPrivateWebhooks: true } })
    const program = await startHttpServer((_request, response) => response.writeHead(202).end())
    await addAccount({ platform: 'X', publisher: 'WEBHOOK', target: program.url })
    await upnext.schedule('Launch day!', { platforms: 'X' })
    await upnext.passTo('14:00')
    await upnext.waitFor(() => expect(program.received).toHaveLength(1))
    const { data } = JSON.parse(program.received[0]?.body ?? '{}')
    const { token } = await upnext.service.addMember(upnext.project, 'EDITOR')
    const path = `/extensions/v1/projects/${upnext.project}/publications/${data.PublicationId}`
    await upnext.service.request('POST', path, { token, json: { State: 'FAILED', Error: 'too busy' } })
    await upnext.hearOfResults()
    await upnext.checkOften()
    expect(dms()).toMatch(/Not published: Acme/)
    await upnext.service.request('POST', path, { token, json: { State: 'PUBLISHED' } })
    await upnext.hearOfResults()
    await upnext.checkOften()
    await upnext.waitFor(() => expect(dms()).toMatch(/Published in Acme/))
    expect(dms()).not.toMatch(/Not published: Acme/)
    await program.close()
  })

  it('is sent once an edit adds a platform with an account', async () => {
    await upnext.addTelegram()
    const { mara } = upnext
    await upnext.schedule('Launch day!', { platforms: 'X' })
    await mara.run('/upnext edit launch')
    const { id: view } = await mara.form('Edit a post')
    await mara.submitAndHear(
      { view, values: mara.fill({ Platforms: ['X', 'TELEGRAM'] }) },
      /Saved the changes/,
    )
    await upnext.settled()
    await upnext.passTime({ minutes: 0.05 })
    await upnext.settled()
    await publishAt('14:00')
    await upnext.checkOften()
    await upnext.waitFor(() => expect(dms()).toMatch(/Published in Acme/))
  })

  it('has the new name of a renamed project', async () => {
    await upnext.addTelegram()
    await upnext.schedule('Launch day!')
    await upnext.service.pool.query("update service.project set name = 'Zenith' where name = 'Acme'")
    await upnext.passTime({ minutes: 20 })
    await publishAt('14:00')
    await upnext.waitFor(() => expect(dms()).toMatch(/Published in Zenith/))
  })
})

describe('the list of accounts', () => {
  it('does not replace an account that was connected since it was shown', async () => {
    await upnext.addTelegram({ name: 'Old', isConnected: false })
    await upnext.mara.runAndHear('/upnext accounts', /Old/)
    await upnext.addTelegram({ name: 'Current', chat: -1009 })
    await upnext.press('Connect', /Old/)
    await upnext.mara.hears('Telegram: Current was connected after this list was shown.')
    const { rows } = await upnext.service.pool.query('select name from service.account where is_connected')
    expect(rows).toEqual([{ name: 'Current' }])
  })

  it("lists a post that waits for its network's rate limit before disconnecting the account", async () => {
    await upnext.addTelegram()
    upnext.telegram.plan(() => ({ kind: 'status', status: 429, retryAfter: 30 * 60 }))
    await upnext.schedule('Launch day!')
    await upnext.passTo('14:00')
    await upnext.waitFor(() => expect(dms()).toMatch(/Publishing in/))
    await upnext.mara.runAndHear('/upnext accounts', /Acme/)
    await upnext.mara.pressLast('accounts:ask')
    await upnext.mara.hears(/Disconnect Telegram: Acme\?[\s\S]*Launch day!/)
  })
})
