import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const VIEW_COMMANDS = ['/upnext', '/upnext posts', '/list-logs', '/upnext templates', '/upnext projects']
const WRITE_COMMANDS = [
  { command: '/schedule-post', title: 'Schedule a post' },
  { command: '/upnext prompt', title: 'Create a prompt' },
  { command: '/update-source', title: 'Update a source' },
]
const ADMIN_COMMANDS = ['/invite-user', '/upnext user', '/upnext webhook', '/upnext file']

const GUEST_REFUSAL = 'Guests have view-only access. Ask a member of this workspace to do this for you.'
const ADMIN_REFUSAL = 'Only workspace owners and admins can do this. Ask one of them for help.'

let upnext: Upnext
let mara: Member
let yuki: Member
let noor: Member
const admins: string[] = []
beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, admins, disableRateLimits: true })
  mara = upnext.person('mara')
  yuki = upnext.person('yuki')
  noor = upnext.person('noor')
})
beforeEach(() => {
  admins.length = 0
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const closeForm = (member: Member) => member.closeView({ view: member.state().views.at(-1)?.id ?? '' })

describe('Guests', () => {
  it('A guest cannot use commands that change something', async () => {
    for (const { command } of WRITE_COMMANDS) await noor.runAndHear(command, GUEST_REFUSAL)
    for (const command of ADMIN_COMMANDS) await noor.runAndHear(command, ADMIN_REFUSAL)
    expect(noor.state().views).toEqual([])
  })

  it('A guest can use commands that only show something', async () => {
    for (const command of VIEW_COMMANDS) await noor.runAndHear(command, 'Acme')
  })

  it('A guest cannot share a post with the channel', async () => {
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: {} })
    await mara.hears('Scheduled in Acme')
    await noor.run('/upnext')
    await noor.hears('Up next in Acme')
    await noor.pressLast('next:share')
    await noor.hears(GUEST_REFUSAL)
  })

  it('A guest can change something if the workspace allows it, except as an admin', async () => {
    const permissive = await openUpnext({ relaxTimeouts: true, guestsMayWrite: true })
    const guest = permissive.person('noor')
    await guest.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await guest.form('Schedule a post')
    expect(await guest.submitView({ view: id, values: {} })).toEqual({ done: true })
    await guest.hears('Scheduled in Acme')
    await guest.run('/invite-user')
    await guest.hears(ADMIN_REFUSAL)
    expect(permissive.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
    await permissive.close()
  })
})

describe('Members', () => {
  it('A member cannot use admin commands, and learns whom to ask', async () => {
    for (const command of ADMIN_COMMANDS) await yuki.runAndHear(command, ADMIN_REFUSAL)
    expect(yuki.state().views).toEqual([])
  })

  it.each(WRITE_COMMANDS)('A member can use $command', async ({ command, title }) => {
    await yuki.run(command)
    await yuki.form(title)
    await closeForm(yuki)
  })
})

describe('Admins named in the settings', () => {
  it('A member who is no longer an admin cannot submit an admin form', async () => {
    admins.push(yuki.state().userId)
    await yuki.run('/invite-user')
    const { id } = await yuki.form('Invite someone')
    const typed = {
      ...yuki.fill({ FirstName: 'Ada', Email: 'ada@acme.example' }),
      ...(await yuki.pick('Role', 'EDITOR')).values,
    }
    admins.pop()
    await yuki.submitView({ view: id, values: typed })
    const form = JSON.stringify(yuki.state().views.at(-1)?.blocks)
    expect(form).toContain(ADMIN_REFUSAL)
    // The form keeps what was typed.
    expect(form).toContain('ada@acme.example')
    const { rows } = await upnext.service.pool.query("select 1 from service.person where email like 'ada@%'")
    expect(rows).toEqual([])
    await closeForm(yuki)
  })

  it('A member who is no longer an admin cannot use the button of an admin message', async () => {
    admins.push(yuki.state().userId)
    await yuki.run('/upnext webhook')
    await yuki.hears("This can't be undone.")
    admins.pop()
    await yuki.pressLast('webhook:delete')
    await yuki.hears(ADMIN_REFUSAL)
  })
})
