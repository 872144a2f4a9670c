import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const shown = (member: Member) => JSON.stringify(member.state().views.at(-1)?.blocks)

const WRITES = ['/schedule-post', '/upnext prompt', '/update-source']
const ADMINISTERS = ['/invite-user', '/upnext user', '/upnext webhook', '/upnext file']

describe('guests', () => {
  it.each([...WRITES, ...ADMINISTERS])('cannot use %s', async (command) => {
    upnext = await openUpnext()
    const noor = upnext.person('noor')
    await noor.run(command)
    await noor.hears(/Guests can look here|owners and admins/)
    expect(noor.state().views).toEqual([])
  })

  it.each(['/upnext', '/upnext posts', '/list-logs', '/upnext templates', '/upnext projects'])(
    'can look with %s',
    async (command) => {
      upnext = await openUpnext()
      const noor = upnext.person('noor')
      await noor.run(command)
      await noor.hears('Acme')
    },
  )

  it('may write where the workspace says so', async () => {
    upnext = await openUpnext({ guestsMayWrite: true })
    const noor = upnext.person('noor')
    await noor.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await noor.form('Schedule a post')
    expect(await noor.submitView({ view: id, values: {} })).toEqual({ done: true })
    await noor.hears('Scheduled in Acme')
    await noor.run('/invite-user')
    await noor.hears('owners and admins')
  })

  it('cannot share with a channel what they were shown', async () => {
    upnext = await openUpnext()
    const mara = upnext.person('mara')
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: {} })
    await mara.hears('Scheduled in Acme')
    const noor = upnext.person('noor')
    await noor.run('/upnext')
    await noor.hears('Up next in Acme')
    await noor.pressLast('next:share')
    await noor.hears('Guests can look here')
  })
})

describe('members', () => {
  it.each(ADMINISTERS)('cannot use %s, and are told whom to ask', async (command) => {
    upnext = await openUpnext()
    const yuki = upnext.person('yuki')
    await yuki.run(command)
    await yuki.hears('That is for the owners and admins of this workspace. Ask one of them')
    expect(yuki.state().views).toEqual([])
  })

  it.each(WRITES)('can use %s', async (command) => {
    upnext = await openUpnext()
    const yuki = upnext.person('yuki')
    await yuki.run(command)
    await vi.waitFor(() => expect(yuki.state().views).toHaveLength(1))
  })
})

describe('who is named an admin', () => {
  const open = async () => {
    const admins: string[] = []
    upnext = await openUpnext({ admins })
    const yuki = upnext.person('yuki')
    admins.push(yuki.state().userId)
    return { yuki, admins }
  }

  it('may do what owners may, and not any more when the name is gone: the form is refused, and keeps what it has', async () => {
    const { yuki, admins } = await open()
    await yuki.run('/invite-user')
    const { id } = await yuki.form('Invite someone')
    admins.pop()
    const values = {
      ...yuki.fill({ FirstName: 'Ada', Email: 'ada@acme.example' }),
      ...(await yuki.pick('Role', 'EDITOR')).values,
    }
    await yuki.submitView({ view: id, values })
    expect(shown(yuki)).toMatch(/owners and admins.*ada@acme\.example/)
    const { rows } = await upnext.service.pool.query("select 1 from service.person where email like 'ada@%'")
    expect(rows).toEqual([])
  })

  it('has no button that outlives that', async () => {
    const { yuki, admins } = await open()
    await yuki.run('/upnext webhook')
    await yuki.hears('It cannot be undone')
    admins.pop()
    await yuki.pressLast('webhook:delete')
    await yuki.hears('owners and admins')
  })
})
