import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ projects: ['Acme'] })
  mara = upnext.person('mara')
})
afterAll(() => upnext.close())

const told = (words: string | RegExp, member = mara) =>
  vi.waitFor(() => expect(member.told()).toMatch(words), { timeout: 4000 })
const form = (member = mara) =>
  vi.waitFor(
    () => {
      const view = member.sees().views.at(-1)
      if (!view?.blocks.some(({ block_id }) => block_id === 'project'))
        throw new Error('The form is not ready.')
      return view
    },
    { timeout: 4000 },
  )
const filled = (values: Record<string, string | string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))

describe('/upnext', () => {
  it('says that nothing is scheduled, then what is', async () => {
    await mara.run('/upnext')
    await told('Nothing is scheduled in Acme')
  })

  it.each(['/upnext help', '/upnext ?'])('answers %s with all that there is', async (command) => {
    await mara.run(command)
    await told(/\/upnext schedule[\s\S]*\/invite-user/)
  })

  it.each([
    ['shedule', '`/upnext schedule`'],
    ['inv', '`/upnext invite`'],
    ['project', '`/upnext projects`'],
  ])('guesses what /upnext %s meant', async (verb, guess) => {
    await mara.run(`/upnext ${verb}`)
    await told(new RegExp(`no \`/upnext ${verb}\`. Did you mean .*${guess}`))
  })

  it('never keeps quiet about a word that it does not know', async () => {
    await mara.run('/upnext xyzzy <b>')
    await told('There is no `/upnext xyzzy`. `/upnext help` lists all.')
  })
})

describe('/schedule-post', () => {
  it('opens filled in with what was typed, and schedules it', async () => {
    await mara.run('/schedule-post Launch day! tomorrow 9am on LinkedIn and X')
    const view = await form()
    const { values } = { values: Object.fromEntries(view.blocks.map((block) => [block.block_id, block])) }
    expect(values).toMatchObject({
      Content: { element: { initial_value: 'Launch day!' } },
      ScheduleDate: { element: { initial_value: 'tomorrow 9am' } },
      Platforms: { element: { initial_options: [{ value: 'LINKEDIN' }, { value: 'X' }] } },
      project: { element: { initial_option: { text: { text: 'Acme' } } } },
    })
    expect(await mara.submitView({ view: view.id, typed: {} })).toEqual({ done: true })
    await told(/Scheduled in Acme[\s\S]*Launch day![\s\S]*LinkedIn, X/)
    await mara.run('/upnext')
    await told(/Up next in Acme[\s\S]*Launch day!/)
    expect(upnext.slack.control.sent().flatMap(({ faults }) => faults)).toEqual([])
  })

  it('puts what is wrong under the field that it concerns, from here and from the service', async () => {
    await mara.run('/schedule-post')
    const view = await form()
    const typed = filled({
      Content: 'Hello',
      ScheduleDate: 'yesterday',
      Platforms: ['X'],
      Media: 'no address',
      Status: 'SCHEDULED',
    })
    expect(await mara.submitView({ view: view.id, typed })).toEqual({
      errors: {
        ScheduleDate: expect.stringContaining('That has passed.'),
        Media: expect.stringContaining('https://'),
      },
    })
    // The service wants a date for what is to be scheduled: only it says so.
    const undated = filled({ Content: 'Hello', Platforms: ['X'], Status: 'SCHEDULED' })
    expect(await mara.submitView({ view: view.id, typed: undated })).toEqual({
      errors: { ScheduleDate: expect.stringMatching(/\w/) },
    })
    const dated = filled({
      Content: 'Hello',
      ScheduleDate: 'friday 10:00',
      Platforms: ['X'],
      Status: 'SCHEDULED',
    })
    const result = await mara.submitView({ view: view.id, typed: dated })
    expect(result).toEqual({ done: true })
    await told(/Scheduled in Acme[\s\S]*Hello/)
  })

  it('is not for guests, who are told whom to ask', async () => {
    const noor = upnext.person('noor')
    await noor.run('/schedule-post Hello')
    await told('Guests can look here', noor)
    expect(noor.sees().views).toEqual([])
    await noor.run('/upnext')
    await told('Acme', noor)
  })
})

describe('/invite-user', () => {
  it('is for owners and admins', async () => {
    const yuki = upnext.person('yuki')
    await yuki.run('/invite-user')
    await told('owners and admins', yuki)
    expect(yuki.sees().views).toEqual([])
  })

  it('refuses what is no e-mail, and invites', async () => {
    await mara.run('/invite-user')
    const view = await form()
    const ada = { FirstName: 'Ada', Email: 'nobody', Role: 'EDITOR' }
    expect(await mara.submitView({ view: view.id, typed: filled(ada) })).toEqual({
      errors: { Email: 'This is no e-mail address. Write one like ada@example.com.' },
    })
    expect(
      await mara.submitView({ view: view.id, typed: filled({ ...ada, Email: 'ada@acme.example' }) }),
    ).toEqual({ done: true })
    await told('ada@acme.example is invited to Acme as editor.')
  })
})
