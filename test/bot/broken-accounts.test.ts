import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BAD_POST, openPublishingWorkspace, type PublishingWorkspace } from './publishing-workspace.ts'

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
const X_CHAT = { id: -1008, type: 'channel', title: 'Acme X', botStatus: 'administrator' } as const
async function connectX() {
  upnext.telegram.addChat(X_CHAT)
  await upnext.addTelegram({ platform: 'X', name: X_CHAT.title, chat: X_CHAT.id })
}
const setXConnected = (isConnected: boolean) =>
  upnext.service.pool.query("update service.account set is_connected = $1 where platform = 'X'", [
    isConnected,
  ])
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
  await setXConnected(false)
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
async function addOtherChat({ isConnected = true } = {}) {
  const chat = { id: -1009999999999, type: 'channel', title: 'Acme US', username: 'acmeus' } as const
  upnext.telegram.addChat({ ...chat, botStatus: 'administrator' })
  await upnext.addTelegram({ name: chat.title, chat: chat.id, isConnected })
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
  await addOtherChat()
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
  await addOtherChat()
  await upnext.mara.pressLast('retry:post')
  await upnext.mara.hears(/A different account is connected now.*Telegram \(Acme US\)/)
  await upnext.settled()
  expect(upnext.telegram.sent).toEqual([])
})

it('asks before a post goes to an account that existed at its time, but may not be the one it was meant for', async () => {
  await addOtherChat({ isConnected: false })
  await upnext.schedule('Launch day!')
  await setConnected(false)
  await upnext.passTo('14:00')
  await upnext.checkOften()
  await upnext.waitFor(() => expect(alerts().join()).toMatch(/no account was connected/))
  await upnext.service.pool.query("update service.account set is_connected = true where name = 'Acme US'")
  await upnext.mara.pressLast('retry:post')
  await upnext.mara.hears(/A different account is connected now.*Telegram \(Acme US\)/)
  await upnext.settled()
  expect(upnext.telegram.sent).toEqual([])
  await upnext.mara.pressLast('retry:unknown')
  await upnext.mara.hears('Publishing on Telegram (Acme US) now.')
  await upnext.hearOfResults()
  expect(upnext.telegram.sent).toMatchObject([{ text: 'Launch day!', chat: -1009999999999 }])
})

describe('a post that was edited after an alert about it, and missed its platform again', () => {
  const aboutX = () => alerts().filter((text) => /on X: no account|Resolved/.test(text))

  /** Posts fail on Telegram and have no account on X. Then one is edited, and is published on Telegram only. */
  async function missXTwice(...texts: string[]) {
    await connectX()
    for (const text of texts) await upnext.schedule(text, { platforms: 'Telegram and X' })
    upnext.telegram.plan(() => BAD_POST)
    await setXConnected(false)
    await upnext.passTo('14:00')
    await upnext.hearOfResults()
    await upnext.checkOften()
    await upnext.waitFor(() => expect(aboutX()).toHaveLength(1))
    upnext.telegram.plan(() => undefined)
    await upnext.mara.run('/upnext edit Sale')
    const { id: view } = await upnext.mara.form('Edit a post')
    const values = upnext.mara.fill({ Content: 'No sale today', ScheduleDate: 'today 15:00 Berlin time' })
    await upnext.mara.submitAndHear({ view, values }, /Saved the changes/)
    await upnext.passTo('15:00')
    await upnext.hearOfResults()
    await upnext.checkOften()
  }

  it('is not published from the alert that shows its old text', async () => {
    await missXTwice('Sale: 50% off', 'Launch night!')
    await setXConnected(true)
    await upnext.press('Publish all now', /Sale: 50% off/)
    await upnext.mara.hears('Publishing 1 post now. Not tried again: 1 post.')
    await upnext.hearOfResults()
    const onX = upnext.telegram.sent.filter(({ chat }) => chat === X_CHAT.id).map(({ text }) => text)
    expect(onX).toEqual(['Launch night!'])
  })

  it('is in a new alert', async () => {
    await missXTwice('Sale: 50% off')
    await upnext.waitFor(() =>
      expect(aboutX().at(-1)).toMatch(/on X: no account was connected.*No sale today/),
    )
  })
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
