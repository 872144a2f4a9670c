import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true })
  mara = upnext.person('mara')
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

describe('/upnext', () => {
  it('says that nothing is scheduled yet', async () => {
    await mara.run('/upnext')
    await mara.hears('Nothing is scheduled in Acme. Schedule a post with `/schedule-post`.')
  })

  it.each(['/upnext help', '/upnext ?'])('answers %s with a list of all commands', async (command) => {
    await mara.runAndHear(command, /What Upnext can do[\s\S]*\/upnext schedule[\s\S]*\/invite-user/)
  })

  it.each([
    ['shedule', '`/upnext schedule`'],
    ['inv', '`/upnext invite`'],
    ['project', '`/upnext projects`'],
  ])('suggests a command for the misspelled "%s"', async (verb, suggestion) => {
    await mara.run(`/upnext ${verb}`)
    await mara.hears(new RegExp(`\`/upnext ${verb}\` doesn't exist\\. Did you mean .*${suggestion}`))
  })

  it('offers the command as a button that runs it with the same words', async () => {
    await mara.run('/upnext pots published')
    await mara.hears("`/upnext pots` doesn't exist. Did you mean `/upnext posts`")
    await mara.pressLast('command:posts')
    await mara.hears('No posts in Acme matching "published".')
  })

  it('understands the words of its buttons', async () => {
    await mara.runAndHear('/upnext delete xyzzy', /No scheduled post or draft was found/)
    await mara.runAndHear('/upnext move xyzzy', /No scheduled post or draft was found/)
  })

  it('answers an unknown command with a pointer to the help', async () => {
    await mara.run('/upnext xyzzy <b>')
    await mara.hears("`/upnext xyzzy` doesn't exist. Type `/upnext help` to see all commands.")
  })

  it('shortens an unknown command that is very long', async () => {
    await mara.run(`/upnext ${'xyzzy'.repeat(500)}`)
    await mara.hears(/^`\/upnext (xyzzy){11}xyzz…` doesn't exist/)
  })
})

describe('/schedule-post', () => {
  it('opens a form with the typed post filled in, and schedules it', async () => {
    await mara.run('/schedule-post Launch day! tomorrow 9am on LinkedIn and X')
    const view = await mara.form('Schedule a post')
    const blocks = Object.fromEntries(view.blocks.map((block) => [block.block_id, block]))
    expect(blocks).toMatchObject({
      Content: { element: { initial_value: 'Launch day!' } },
      ScheduleDate: { element: { initial_value: 'tomorrow 9am' } },
      Platforms: { element: { initial_options: [{ value: 'LINKEDIN' }, { value: 'X' }] } },
      project: { element: { initial_option: { text: { text: 'Acme' } } } },
    })
    expect(await mara.submitView({ view: view.id, values: {} })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*LinkedIn, X[\s\S]*Launch day!/)
    await mara.run('/upnext')
    await mara.hears(/Up next in Acme[\s\S]*Launch day!/)
  })

  it('shows errors under the fields they concern until the form is valid', async () => {
    await mara.run('/schedule-post')
    const view = await mara.form('Schedule a post')
    const submit = (values: Record<string, string>) => {
      const typed = mara.fill({ Content: 'Hello', Platforms: ['X'], Status: 'SCHEDULED', ...values })
      return mara.submitView({ view: view.id, values: typed })
    }
    expect(await submit({ ScheduleDate: 'yesterday', Media: 'not a link' })).toEqual({
      errors: {
        ScheduleDate: 'That time is in the past. Try "tomorrow 9am".',
        Media: 'Enter a valid link that starts with https://.',
      },
    })
    expect(await submit({ ScheduleDate: '', Media: '' })).toEqual({
      errors: { ScheduleDate: 'Please complete this required field.' },
    })
    expect(await submit({ ScheduleDate: 'friday 10:00', Media: '' })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Hello/)
  })

  it('refuses guests, who can still see the next post', async () => {
    const noor = upnext.person('noor')
    await noor.run('/schedule-post Hello')
    await noor.hears('Guests have view-only access.')
    expect(noor.state().views).toEqual([])
    await noor.run('/upnext')
    await noor.hears('Up next in Acme')
  })
})

describe('/invite-user', () => {
  it('is only for owners and admins', async () => {
    const yuki = upnext.person('yuki')
    await yuki.run('/invite-user')
    await yuki.hears('Only workspace owners and admins can do this.')
    expect(yuki.state().views).toEqual([])
  })

  it('refuses an invalid email address, and invites someone with a valid one', async () => {
    await mara.run('/invite-user')
    const view = await mara.form('Invite someone')
    const role = (await mara.pick('Role', 'EDITOR')).values
    const invite = (Email: string) => {
      const typed = { ...mara.fill({ FirstName: 'Ada', Email }), ...role }
      return mara.submitView({ view: view.id, values: typed })
    }
    expect(await invite('nobody')).toEqual({
      errors: { Email: 'Enter a valid email address, such as ada@example.com.' },
    })
    expect(await invite('ada@acme.example')).toEqual({ done: true })
    await mara.hears('Invited ada@acme.example to Acme as editor.')
  })
})
