import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ projects: ['Acme'] })
  mara = upnext.person('mara')
})
afterAll(() => upnext.close())

describe('/upnext', () => {
  it('says that nothing is scheduled, then what is', async () => {
    await mara.run('/upnext')
    await mara.hears('Nothing is scheduled in Acme')
  })

  it.each(['/upnext help', '/upnext ?'])('answers %s with all that there is', async (command) => {
    await mara.run(command)
    await mara.hears(/\/upnext schedule[\s\S]*\/invite-user/)
  })

  it.each([
    ['shedule', '`/upnext schedule`'],
    ['inv', '`/upnext invite`'],
    ['project', '`/upnext projects`'],
  ])('guesses what /upnext %s meant', async (verb, guess) => {
    await mara.run(`/upnext ${verb}`)
    await mara.hears(new RegExp(`no \`/upnext ${verb}\`. Did you mean .*${guess}`))
  })

  it('never keeps quiet about a word that it does not know', async () => {
    await mara.run('/upnext xyzzy <b>')
    await mara.hears('There is no `/upnext xyzzy`. `/upnext help` lists all.')
  })
})

describe('/schedule-post', () => {
  it('opens filled in with what was typed, and schedules it', async () => {
    await mara.run('/schedule-post Launch day! tomorrow 9am on LinkedIn and X')
    const view = await mara.form('Schedule a post')
    const { values } = { values: Object.fromEntries(view.blocks.map((block) => [block.block_id, block])) }
    expect(values).toMatchObject({
      Content: { element: { initial_value: 'Launch day!' } },
      ScheduleDate: { element: { initial_value: 'tomorrow 9am' } },
      Platforms: { element: { initial_options: [{ value: 'LINKEDIN' }, { value: 'X' }] } },
      project: { element: { initial_option: { text: { text: 'Acme' } } } },
    })
    expect(await mara.submitView({ view: view.id, values: {} })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Launch day![\s\S]*LinkedIn, X/)
    await mara.run('/upnext')
    await mara.hears(/Up next in Acme[\s\S]*Launch day!/)
    expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  })

  it('puts what is wrong under the field that it concerns, from here and from the service', async () => {
    await mara.run('/schedule-post')
    const view = await mara.form('Schedule a post')
    const values = mara.fill({
      Content: 'Hello',
      ScheduleDate: 'yesterday',
      Platforms: ['X'],
      Media: 'no address',
      Status: 'SCHEDULED',
    })
    expect(await mara.submitView({ view: view.id, values })).toEqual({
      errors: {
        ScheduleDate: expect.stringContaining('That has passed.'),
        Media: expect.stringContaining('https://'),
      },
    })
    // The service wants a date for what is to be scheduled: only it says so.
    const undated = mara.fill({ Content: 'Hello', Platforms: ['X'], Status: 'SCHEDULED' })
    expect(await mara.submitView({ view: view.id, values: undated })).toEqual({
      errors: { ScheduleDate: expect.stringMatching(/\w/) },
    })
    const dated = mara.fill({
      Content: 'Hello',
      ScheduleDate: 'friday 10:00',
      Platforms: ['X'],
      Status: 'SCHEDULED',
    })
    const result = await mara.submitView({ view: view.id, values: dated })
    expect(result).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Hello/)
  })

  it('is not for guests, who are told whom to ask', async () => {
    const noor = upnext.person('noor')
    await noor.run('/schedule-post Hello')
    await noor.hears('Guests can look here')
    expect(noor.state().views).toEqual([])
    await noor.run('/upnext')
    await noor.hears('Acme')
  })
})

describe('/invite-user', () => {
  it('is for owners and admins', async () => {
    const yuki = upnext.person('yuki')
    await yuki.run('/invite-user')
    await yuki.hears('owners and admins')
    expect(yuki.state().views).toEqual([])
  })

  it('refuses what is no e-mail, and invites', async () => {
    await mara.run('/invite-user')
    const view = await mara.form('Invite someone')
    const role = (await mara.pick('Role', 'EDITOR')).values
    const ada = (Email: string) => ({ ...mara.fill({ FirstName: 'Ada', Email }), ...role })
    expect(await mara.submitView({ view: view.id, values: ada('nobody') })).toEqual({
      errors: { Email: 'This is no e-mail address. Write one like ada@example.com.' },
    })
    expect(await mara.submitView({ view: view.id, values: ada('ada@acme.example') })).toEqual({ done: true })
    await mara.hears('ada@acme.example is invited to Acme as editor.')
  })
})
