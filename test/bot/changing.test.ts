import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertSource } from '../../src/service/storage/sources.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ projects: ['Acme'] })
  mara = upnext.person('mara')
})
afterAll(() => upnext.close())

/** What a field begins with, as the form stands there now. */
const initialOf = (block_id: string): unknown => {
  const block = mara
    .state()
    .views.at(-1)
    ?.blocks.find((one) => one.block_id === block_id)
  return Object(Object(block).element).initial_value
}

describe('/update-source', () => {
  it('fills in what the source says now, and changes it', async () => {
    const { service, project } = upnext
    await insertSource(service.db, {
      project_id: project,
      source: 'https://acme.example/feed',
      description: 'Our feed',
    })
    await insertSource(service.db, {
      project_id: project,
      source: 'https://acme.example/news',
      description: null,
    })
    await mara.run('/update-source')
    await mara.form('Update a source')
    const picked = await mara.pick('pick', 'feed')
    expect(await mara.dispatchAction(picked)).toEqual({ done: true })
    await vi.waitFor(() => expect(initialOf('Source')).toBe('https://acme.example/feed'))
    expect(initialOf('Description')).toBe('Our feed')
    const values = { ...picked.values, ...mara.fill({ Source: 'https://acme.example/atom' }) }
    expect(await mara.submitView({ view: picked.container.view, values })).toEqual({ done: true })
    await mara.hears('The source *https://acme.example/atom* of Acme is updated.')
  })
})

describe('a source', () => {
  const openSource = async (name: string) => {
    await mara.run('/update-source')
    await mara.form('Update a source')
    const picked = await mara.pick('pick', name)
    await mara.dispatchAction(picked)
    return picked
  }

  it('whose description was emptied has none', async () => {
    const { service, project } = upnext
    await insertSource(service.db, {
      project_id: project,
      source: 'https://acme.example/blog',
      description: 'Old',
    })
    const picked = await openSource('blog')
    await vi.waitFor(() => expect(initialOf('Description')).toBe('Old'))
    const values = { ...picked.values, ...mara.fill({ Description: '' }) }
    expect(await mara.submitView({ view: picked.container.view, values })).toEqual({ done: true })
    await mara.hears('The source *https://acme.example/blog* of Acme is updated.')
    const { rows } = await service.pool.query(
      "select description from service.source where source like '%blog'",
    )
    expect(rows[0].description || null).toBeNull()
  })
})

describe('/invite-user', () => {
  const open = async () => {
    await mara.run('/invite-user')
    return mara.form('Invite someone')
  }

  it('takes name and e-mail from somebody of the workspace, and keeps what was typed beside', async () => {
    const { id } = await open()
    const yuki = upnext.person('yuki').state().userId
    const at = { view: id }
    const values = mara.fill({ PhoneNumber: '+49 30 1234', pick: yuki })
    expect(
      await mara.dispatchAction({
        container: at,
        block_id: 'pick',
        action_id: 'chosen:invite:pick',
        value: yuki,
        values,
      }),
    ).toEqual({ done: true })
    await vi.waitFor(() => expect(initialOf('Email')).toMatch(/^yuki@/))
    expect([initialOf('FirstName'), initialOf('LastName')]).toEqual(['Yuki', 'Arai'])
    expect(initialOf('PhoneNumber')).toBe('+49 30 1234')
    const role = (await mara.pick('Role', 'VIEWER')).values
    expect(await mara.submitView({ view: id, values: role })).toEqual({ done: true })
    await mara.hears(/yuki@.* is invited to Acme as viewer/)
  })

  it('takes a role that it does not know, and shows what the service says of it', async () => {
    const { id } = await open()
    const role = (await mara.pick('Role', 'Puppeteer')).values
    const values = { ...mara.fill({ FirstName: 'Bo', Email: 'bo@acme.example' }), ...role }
    expect(await mara.submitView({ view: id, values })).toEqual({
      errors: { Role: expect.stringContaining('ADMIN') },
    })
    await mara.closeView({ view: id })
  })

  it('leads on to the next one', async () => {
    await mara.pressLast('invite:open')
    const { id } = await mara.form('Invite someone')
    await mara.closeView({ view: id })
  })
})

describe('/upnext user', () => {
  it('wants a change', async () => {
    await mara.run('/upnext user')
    const view = await mara.form('Change a user')
    const { values } = await mara.pick('pick', 'someone')
    expect(await mara.submitView({ view: view.id, values })).toEqual({
      errors: { Role: 'Choose a role or a status.' },
    })
    await mara.closeView({ view: view.id })
  })

  it('lists those who were invited from here, and changes their role', async () => {
    await mara.run('/invite-user')
    const invite = await mara.form('Invite someone')
    const { values: role } = await mara.pick('Role', 'VIEWER')
    const ada = { ...mara.fill({ FirstName: 'Ada', Email: 'ada@acme.example' }), ...role }
    expect(await mara.submitView({ view: invite.id, values: ada })).toEqual({ done: true })
    await mara.hears('ada@acme.example is invited')

    await mara.run('/upnext user')
    const view = await mara.form('Change a user')
    const { values } = await mara.pick('pick', 'Ada · ada@acme.example')
    const changed = { ...values, ...(await mara.pick('Role', 'EDITOR')).values }
    expect(await mara.submitView({ view: view.id, values: changed })).toEqual({ done: true })
    await mara.hears('ada@acme.example: editor, active in Acme now.')
  })

  it('takes an id that it does not know, and says that the service does not either', async () => {
    await mara.run('/upnext user')
    const view = await mara.form('Change a user')
    const { values } = await mara.pick('pick', '00000000-0000-4000-8000-000000000000')
    await mara.submitView({
      view: view.id,
      values: { ...values, ...(await mara.pick('Role', 'ADMIN')).values },
    })
    await vi.waitFor(() =>
      expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toContain('does not have that'),
    )
    await mara.closeView({ view: view.id })
  })
})

describe('the schedule form', () => {
  it('offers the prompts that were created here', async () => {
    await mara.run('/upnext prompt')
    const prompt = await mara.form('Create a prompt')
    const values = mara.fill({ Title: 'Puns', PromptText: 'Write three puns.' })
    expect(await mara.submitView({ view: prompt.id, values })).toEqual({ done: true })
    await mara.hears('The prompt *Puns*')
    await mara.pressLast('prompt:use')
    await vi.waitFor(() =>
      expect(JSON.stringify(mara.state().views.at(-1))).toMatch(
        /"initial_option":\{"text":\{"type":"plain_text","text":"Puns"/,
      ),
    )
    await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
    await mara.run('/schedule-post A pun! tomorrow 9am on X')
    const view = await mara.form('Schedule a post')
    const picked = await mara.pick('PromptId', 'Pun')
    expect(await mara.submitView({ view: view.id, values: picked.values })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
  })
})

it('sends nothing that Slack would find fault with', () => {
  expect(upnext.slack.controls.appPayloads().filter(({ problems }) => problems.length)).toEqual([])
})

describe('a role that was seen', () => {
  it('is offered the next time, and by any case of its letters only once', async () => {
    await mara.run('/upnext user')
    const { id } = await mara.form('Change a user')
    const { value } = await mara.pick('Role', 'EDITOR')
    expect(value).toBe('EDITOR')
    const view = mara.state().views.at(-1)
    const element = Object(view?.blocks.find(({ block_id }) => block_id === 'Role')).element
    const found = await mara.loadOptions({
      container: { view: id },
      block_id: 'Role',
      action_id: element.action_id,
      query: 'editor',
    })
    expect('options' in found && found.options.map(({ value }) => value)).toEqual(['EDITOR'])
    await mara.closeView({ view: id })
  })
})
