import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { openPublishingWorkspace, type PublishingWorkspace } from './publishing-workspace.ts'

let upnext: PublishingWorkspace
beforeEach(async () => {
  upnext = await openPublishingWorkspace()
  await upnext.addTelegram()
  await upnext.mara.run('/upnext alerts here')
  await upnext.waitFor(() => expect(upnext.inChannel().join()).toMatch(/turned on alerts/))
})
afterEach(() => upnext.close())

const alerts = () => upnext.inChannel().filter((text) => /^\["Acme|Resolved|Failed again/.test(text))
const setConnected = (isConnected: boolean) =>
  upnext.service.pool.query('update service.account set is_connected = $1', [isConnected])
async function connectX() {
  const { service, project: project_id } = upnext
  const account = await saveAccount(service.db, {
    project_id,
    platform: 'X',
    publisher: 'WEBHOOK',
    name: 'Acme X',
    settings: '{}',
    target: 'https://hooks.acme.example',
    credentials: 'secret',
    checked_at: upnext.now(),
  })
  await service.pool.query('update service.account set created_at = checked_at')
  await connectAccount(service.db, account)
}
const MISSING_CHAT = { kind: 'status', status: 400, description: 'Bad Request: chat not found' } as const

it('keeps the alert about an account open while a post of that account fails', async () => {
  await upnext.schedule('Launch day!')
  upnext.setChat({ botStatus: 'left' })
  upnext.telegram.planOthers((method) => (method === 'getChat' ? MISSING_CHAT : undefined))
  upnext.telegram.plan(() => MISSING_CHAT)
  await upnext.mara.runAndHear('/upnext accounts', 'Accounts of Acme')
  await upnext.mara.pressLast('accounts:check')
  await upnext.mara.hears(/@acme_bot isn't in/)
  await upnext.checkOften()
  await upnext.waitFor(() => expect(alerts()).toHaveLength(1))
  await upnext.passTo('14:00')
  await upnext.hearOfResults()
  await upnext.checkOften()
  await upnext.waitFor(() => expect(alerts()).toHaveLength(2))
  await upnext.checkOften()
  expect(alerts()[0]).toMatch(/needs attention/)
  expect(alerts()[0]).not.toMatch(/Resolved/)
})

it('reports one platform of a post that was disconnected', async () => {
  await connectX()
  await upnext.schedule('Launch day!', { platforms: 'Telegram and X' })
  await upnext.service.pool.query("update service.account set is_connected = false where platform = 'X'")
  await upnext.passTo('14:00')
  await upnext.hearOfResults()
  await upnext.checkOften()
  await upnext.waitFor(() => expect(alerts()).toHaveLength(1))
  expect(alerts()[0]).toMatch(/Not published on X: no account was connected/)
})

it('reports no post that went out before its platform had an account', async () => {
  await upnext.schedule('Launch day!', { platforms: 'Telegram and X' })
  await upnext.passTo('14:00')
  await upnext.hearOfResults()
  await upnext.passTo('15:00')
  await connectX()
  await upnext.checkOften()
  expect(alerts()).toEqual([])
})

async function missTwoPosts() {
  await upnext.schedule('Launch day!')
  await upnext.schedule('Launch night!')
  await setConnected(false)
  await upnext.passTo('14:00')
  await upnext.checkOften()
  await upnext.waitFor(() => expect(alerts().join()).toMatch(/2 posts.*no account was connected/))
}
async function connectOtherChat() {
  const chat = { id: -1009999999999, type: 'channel', title: 'Acme US', username: 'acmeus' } as const
  upnext.telegram.addChat({ ...chat, botStatus: 'administrator' })
  await upnext.addTelegram({ name: chat.title, chat: chat.id })
}

it('publishes several posts together', async () => {
  await missTwoPosts()
  expect(alerts().join()).toMatch(/"Publish all now".*published one of them by hand, it will appear twice/)
  await setConnected(true)
  await upnext.mara.pressLast('alerts:retry')
  await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(2))
})

it('asks before several posts go to an account that was connected later', async () => {
  await missTwoPosts()
  await connectOtherChat()
  await upnext.mara.pressLast('alerts:retry')
  await upnext.mara.hears(
    /^A different account is connected now\. 2 posts would be published on Telegram \(Acme US\)\./,
  )
  await upnext.settled()
  expect(upnext.telegram.sent).toEqual([])
  await upnext.mara.pressLast('alerts:retry')
  await upnext.mara.hears(/^Publishing 2 posts now\./)
  expect(upnext.mara.lastText()).not.toMatch(/Not tried/)
  await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(2))
})

it('asks before a post goes to an account that was connected later', async () => {
  await upnext.schedule('Launch day!')
  await setConnected(false)
  await upnext.passTo('14:00')
  await upnext.checkOften()
  await upnext.waitFor(() => expect(alerts().join()).toMatch(/no account was connected/))
  await connectOtherChat()
  await upnext.mara.pressLast('retry:post')
  await upnext.mara.hears(/A different account is connected now.*Telegram \(Acme US\)/)
  await upnext.settled()
  expect(upnext.telegram.sent).toEqual([])
})

it('alerts again if an account breaks again after its alert was dismissed', async () => {
  const check = async (answer: RegExp) => {
    await upnext.mara.runAndHear('/upnext accounts', 'Accounts of Acme')
    await upnext.mara.pressLast('accounts:check')
    await upnext.mara.hears(answer)
    await upnext.checkOften()
  }
  const breakAccount = async () => {
    upnext.telegram.planOthers((method) => (method === 'getChat' ? MISSING_CHAT : undefined))
    await check(/isn't in/)
  }
  await breakAccount()
  await upnext.waitFor(() => expect(alerts()).toHaveLength(1))
  await upnext.press('Dismiss', /needs attention/)
  await upnext.waitFor(() => expect(upnext.inChannel().join()).toMatch(/Dismissed by/))
  upnext.telegram.planOthers(() => undefined)
  await check(/white_check_mark/)
  await breakAccount()
  await upnext.waitFor(() => expect(alerts().at(-1)).toMatch(/needs attention/))
})

it("doesn't call an account broken after a check while Telegram was away", async () => {
  upnext.telegram.planOthers(() => ({ kind: 'status', status: 502, body: '<html>' }))
  await upnext.mara.runAndHear('/upnext accounts', 'Accounts of Acme')
  await upnext.mara.pressLast('accounts:check')
  await upnext.mara.hears(/Telegram responded with 502\. Try again later\./)
  await upnext.checkOften()
  expect(alerts()).toEqual([])
  await upnext.mara.runAndHear('/upnext accounts', /white_check_mark/)
})

it('publishes a post that was only marked, once its account is connected again', async () => {
  await upnext.schedule('Launch day!')
  await setConnected(false)
  await upnext.passTo('14:00')
  await upnext.checkOften()
  await upnext.waitFor(() =>
    expect(alerts().join()).toMatch(/Not published on Telegram: no account was connected/),
  )
  expect(alerts().join()).not.toMatch(/Telegram · published/)
  await upnext.mara.pressLast('retry:post')
  await upnext.mara.hears(/This project has no account for TELEGRAM/)
  await setConnected(true)
  await upnext.mara.pressLast('retry:post')
  await upnext.waitFor(() => expect(upnext.telegram.sent).toHaveLength(1))
  await upnext.checkOften()
  await upnext.waitFor(() => expect(alerts().join()).toMatch(/Resolved/))
})
