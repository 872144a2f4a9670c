import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  BAD_POST,
  MAX_WAIT,
  openPublishingWorkspace,
  type PublishingWorkspace,
} from './publishing-workspace.ts'
import { type Respond, withoutExtensions } from './workspace.ts'

let upnext: PublishingWorkspace
let respond: Respond = () => undefined

beforeEach(async () => {
  respond = () => undefined
  upnext = await openPublishingWorkspace({ respond: (request) => respond(request) })
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const TITLE = /^Accounts of Acme/
const listAccounts = () => upnext.mara.runAndHear('/upnext accounts', TITLE)

const listConnected = async () => {
  const { rows } = await upnext.service.pool.query(
    'select name from service.account where is_connected order by name',
  )
  return rows.map(({ name }) => name)
}
const readEntries = async () => {
  const { rows } = await upnext.service.pool.query(
    "select user_id, action, outcome, target from upnext.audit_entry where action like 'accounts:%' order by id",
  )
  return rows
}

describe('the list of accounts', () => {
  it('shows connected accounts first, and how many there is no room for', async () => {
    for (let number = 1; number <= 21; number++)
      await upnext.addTelegram({ name: `Chat ${number}`, chat: -1000 - number, isConnected: number === 21 })
    await listAccounts()
    await upnext.mara.hears(/Telegram: Chat 21\*\n:white_check_mark: connected[\s\S]*And 1 more\./)
  })

  it('shows the state of each account, the platforms without one, and how to add one', async () => {
    await upnext.addTelegram()
    await upnext.addTelegram({ name: 'Acme test', chat: -1009, isConnected: false })
    await listAccounts()
    await upnext.mara.hears(
      /Telegram: Acme\*\n:white_check_mark: connected\nCheck\nDisconnect\n\*Telegram: Acme test\*\nnot connected\nCheck\nConnect\n/,
    )
    await upnext.mara.hears(
      /Not connected: Instagram, .*Posts for them are only marked as published.*npm run service -- account add/s,
    )
    expect(upnext.mara.lastText()).not.toMatch(/Not connected:[^.]*Telegram/)
    expect(upnext.mara.lastMessage()?.isEphemeral).toBe(true)
  })

  it('is for admins', async () => {
    await upnext.addTelegram()
    await upnext.yuki.runAndHear('/upnext accounts', 'Only workspace owners and admins can do this')
  })

  it('shows no token', async () => {
    await upnext.addTelegram()
    await listAccounts()
    expect(JSON.stringify(upnext.mara.state())).not.toContain('telegram-token')
  })

  it('says that a service without the extension has none', async () => {
    await upnext.close()
    respond = withoutExtensions
    upnext = await openPublishingWorkspace({ respond: (request) => respond(request) })
    await upnext.mara.runAndHear('/upnext accounts', 'This scheduling service has no accounts to show.')
  })

  it('explains a failure of the service', async () => {
    await upnext.addTelegram()
    respond = ({ url }) => (url.includes('/accounts') ? new Response(null, { status: 503 }) : undefined)
    await upnext.mara.runAndHear('/upnext accounts', /scheduling service has a problem \(status 503\)/)
  })
})

const CONNECTED =
  /<@\w+> connected Telegram: Acme news, now the account for your post in Acme: .*"Launch day!.* It goes out on Telegram: Acme news\./

describe('an account', () => {
  it('shows its problem after a check, and no problem once it works again', async () => {
    const id = await upnext.addTelegram()
    upnext.telegram.planOthers((method) => (method === 'getMe' ? BAD_POST : undefined))
    await listAccounts()
    await upnext.mara.pressLast('accounts:check')
    await upnext.mara.hears(/Telegram: Acme\*\n:warning: Telegram rejected the bot's token/)
    upnext.telegram.planOthers(() => undefined)
    await upnext.mara.pressLast('accounts:check')
    await upnext.mara.hears(/Telegram: Acme\*\n:white_check_mark: connected/)
    const entry = { user_id: upnext.mara.userId, action: 'accounts:check', outcome: 'done', target: id }
    expect(await readEntries()).toEqual([entry, entry])
  })

  it('is disconnected after a list of the posts that it would publish', async () => {
    const id = await upnext.addTelegram()
    await upnext.schedule('Launch day!')
    await upnext.schedule('Launch week!', { time: '15:00', platforms: 'Telegram and X' })
    await upnext.schedule('Launch month!', { time: '16:00', platforms: 'X' })
    await listAccounts()
    await upnext.press('Disconnect', /Accounts of Acme/)
    const question =
      /Disconnect Telegram: Acme\?\* 2 scheduled posts would be marked as published without going out on Telegram:\n_Friday 20 November_\n• 14:00 Launch day!.*\n• 15:00 Launch week!/
    await upnext.mara.hears(question)
    expect(upnext.mara.lastText()).not.toContain('Launch month!')
    expect(await listConnected()).toEqual(['Acme'])
    await upnext.mara.pressLast('accounts:disconnect')
    await upnext.mara.hears(/Telegram: Acme\*\nnot connected\nCheck\nConnect/)
    expect(await listConnected()).toEqual([])
    expect(await readEntries()).toEqual([
      { user_id: upnext.mara.userId, action: 'accounts:disconnect', outcome: 'done', target: id },
    ])
    await upnext.passTo('14:00')
    await upnext.settled()
    expect(upnext.telegram.sent).toEqual([])
  })

  it('is disconnected with a message to the authors of its posts', async () => {
    await upnext.addTelegram()
    const { yuki } = upnext
    await upnext.schedule('Launch day!', { member: yuki })
    await upnext.schedule('Launch week!', { member: yuki, time: '15:00', platforms: 'Telegram and X' })
    await upnext.schedule('Launch month!', { member: yuki, time: '16:00', platforms: 'X' })
    await upnext.schedule('Launch year!', { time: '17:00' })
    await listAccounts()
    await upnext.press('Disconnect', /Accounts of Acme/)
    await upnext.mara.hears(/Disconnect Telegram: Acme\?/)
    await upnext.mara.pressLast('accounts:disconnect')
    await upnext.waitFor(() => expect(upnext.directMessages(yuki).join()).toContain('disconnected'))
    const [message = ''] = upnext.directMessages(yuki).filter((text) => text.includes('disconnected'))
    const lines = JSON.parse(message)[0].split('\n')
    expect(lines).toEqual([
      `<@${upnext.mara.userId}> disconnected Telegram: Acme, the account for 2 of your posts in Acme:`,
      expect.stringMatching(/^• "Launch day!" .* · Telegram\. It won't go out on Telegram\.$/),
      expect.stringMatching(/^• "Launch week!" .* · .*X.*\. It won't go out on Telegram\.$/),
    ])
    await upnext.settled()
    expect(upnext.directMessages().join()).not.toContain('disconnected')
  })

  it('is connected with a message to the authors of the posts that it will publish', async () => {
    await upnext.addTelegram()
    await upnext.addTelegram({ name: 'Acme news', chat: -1009, isConnected: false })
    await upnext.schedule('Launch day!', { member: upnext.yuki })
    await listAccounts()
    await upnext.press('Connect', /Acme news/)
    const heard = () => upnext.directMessages(upnext.yuki).join()
    await upnext.waitFor(() => expect(heard()).toMatch(CONNECTED))
  })

  it('is disconnected without a message to authors if another one has replaced it', async () => {
    const id = await upnext.addTelegram()
    await upnext.schedule('Launch day!', { member: upnext.yuki })
    await listAccounts()
    await upnext.press('Disconnect', /Accounts of Acme/)
    await upnext.mara.hears(/Disconnect Telegram: Acme\?/)
    await upnext.service.pool.query('update service.account set is_connected = false where id = $1', [id])
    await upnext.addTelegram({ name: 'Acme news', chat: -1009 })
    await upnext.mara.pressLast('accounts:disconnect')
    await upnext.mara.hears(/Telegram: Acme\*\nnot connected/)
    await upnext.settled()
    expect(upnext.directMessages(upnext.yuki).join()).not.toContain('disconnected')
  })

  it('is listed instead of being disconnected if another one has replaced it since the list was shown', async () => {
    const id = await upnext.addTelegram()
    await upnext.schedule('Launch day!')
    await listAccounts()
    await upnext.service.pool.query('update service.account set is_connected = false where id = $1', [id])
    await upnext.addTelegram({ name: 'Acme news', chat: -1009 })
    await upnext.press('Disconnect', /Accounts of Acme/)
    await upnext.mara.hears(
      /Telegram: Acme news\*\n:white_check_mark: connected.*Telegram: Acme\*\nnot connected/s,
    )
    expect(upnext.mara.lastText()).not.toContain('would be marked as published')
  })

  it('says that no post needs it', async () => {
    await upnext.addTelegram()
    await upnext.schedule('Launch month!', { platforms: 'X' })
    await listAccounts()
    await upnext.press('Disconnect', /Accounts of Acme/)
    await upnext.mara.hears('No scheduled post uses it.')
  })

  it('is connected without a confirmation if the platform has none', async () => {
    const id = await upnext.addTelegram({ isConnected: false })
    await listAccounts()
    expect(JSON.stringify(upnext.mara.lastMessage())).not.toContain('"confirm"')
    await upnext.press('Connect', /Accounts of Acme/)
    await upnext.mara.hears(/Telegram: Acme\*\n:white_check_mark: connected/)
    expect(await listConnected()).toEqual(['Acme'])
    expect(await readEntries()).toEqual([
      { user_id: upnext.mara.userId, action: 'accounts:connect', outcome: 'done', target: id },
    ])
  })

  it('is connected after a confirmation that names the account that it replaces', async () => {
    await upnext.addTelegram()
    await upnext.addTelegram({ name: 'Acme test', chat: -1009, isConnected: false })
    await listAccounts()
    expect(JSON.stringify(upnext.mara.lastMessage())).toMatch(
      /"Connect".*"confirm":.*Telegram: Acme test replaces Acme\./,
    )
    await upnext.press('Connect', /Accounts of Acme/)
    await upnext.mara.hears(
      /Telegram: Acme test\*\n:white_check_mark: connected.*Telegram: Acme\*\nnot connected/s,
    )
    expect(await listConnected()).toEqual(['Acme test'])
  })

  const removeAndPress = async (label: string) => {
    await upnext.addTelegram()
    await listAccounts()
    await upnext.service.pool.query('delete from service.account')
    await upnext.press(label, /Accounts of Acme/)
    await vi.waitFor(() => expect(upnext.mara.lastText()).not.toMatch(TITLE), MAX_WAIT)
    expect(upnext.mara.lastText()).toMatch('This account no longer exists.')
  }

  it('says that it no longer exists if it was removed before Disconnect was pressed', () =>
    removeAndPress('Disconnect'))

  it('says that it no longer exists if it was removed before Check was pressed', () =>
    removeAndPress('Check'))

  it('is only changed by admins, even with a button that someone else sees', async () => {
    await upnext.addTelegram()
    await listAccounts()
    upnext.slack.controls.updateUser({ user: 'mara', role: 'member' })
    await upnext.press('Check', /Accounts of Acme/)
    await upnext.mara.hears('Only workspace owners and admins can do this')
    await vi.waitFor(async () => expect(await readEntries()).toMatchObject([{ outcome: 'denied' }]), MAX_WAIT)
  })
})
