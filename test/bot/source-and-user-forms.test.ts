import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { insertSource } from '../../src/service/stores/prompts-templates-sources-store.ts'
import { type Member, openUpnext, type Respond, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined
beforeAll(async () => {
  upnext = await openUpnext({
    projects: ['Acme', 'Northwind'],
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: (request) => respond(request),
  })
  mara = upnext.person('mara')
  await mara.runAndHear('/upnext use Acme', 'linked')
})
afterEach(async () => {
  for (const { id } of mara.state().views) await mara.closeView({ view: id })
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 60_000 })

type Option = { text: { text: string }; value: string }
type Block = {
  block_id?: string
  element?: { action_id?: string; initial_value?: string; initial_option?: Option; options?: Option[] }
}

const elementOf = (block_id: string) => {
  const blocks = (mara.state().views.at(-1)?.blocks ?? []) as Block[]
  return blocks.find((block) => block.block_id === block_id)?.element
}

const initialValue = (block_id: string) => elementOf(block_id)?.initial_value

async function openForm(command: string, title: string) {
  await mara.run(command)
  return mara.form(title)
}

describe('/update-source', () => {
  const pickSource = async (name: string) => {
    await openForm('/update-source', 'Update a source')
    const picked = await mara.pick('record', name)
    expect(await mara.dispatchAction(picked)).toEqual({ done: true })
    return picked
  }
  const addSource = (source: string, description: string | null) =>
    insertSource(upnext.service.db, { project_id: upnext.project, source, description })

  it('fills in the current values of the picked source, and updates it', async () => {
    await addSource('https://acme.example/feed', 'Our feed')
    await addSource('https://acme.example/news', null)
    const picked = await pickSource('feed')
    await waitFor(() => expect(initialValue('Source')).toBe('https://acme.example/feed'))
    expect(initialValue('Description')).toBe('Our feed')
    const typed = { ...picked.values, ...mara.fill({ Source: 'https://acme.example/atom' }) }
    expect(await mara.submitView({ view: picked.container.view, values: typed })).toEqual({ done: true })
    await mara.hears('Updated the source *https://acme.example/atom* in Acme.')
  })

  it("clears the values of the source that was picked before if the next can't be loaded", async () => {
    await addSource('https://acme.example/press', 'Our press')
    await addSource('https://acme.example/jobs', 'Our jobs')
    await pickSource('press')
    await waitFor(() => expect(initialValue('Description')).toBe('Our press'))
    const picked = await mara.pick('record', 'jobs')
    respond = ({ url }) => (/sources/.test(url) ? new Response('{}', { status: 500 }) : undefined)
    await mara.dispatchAction(picked)
    await waitFor(() => expect(initialValue('Description')).toBeUndefined())
    respond = () => undefined
    expect(await mara.submitUnseen({ view: picked.container.view, values: {} })).toMatchObject({
      errors: { Source: expect.anything() },
    })
  })

  it('is refused while the form still shows the values of another source', async () => {
    await addSource('https://acme.example/shop', 'Our shop')
    await addSource('https://acme.example/events', 'Our events')
    await pickSource('shop')
    await waitFor(() => expect(initialValue('Description')).toBe('Our shop'))
    const { container, values } = await mara.pick('record', 'events')
    expect(await mara.submitUnseen({ view: container.view, values })).toEqual({
      errors: { record: expect.stringContaining('The form still shows the values of your previous choice.') },
    })
  })

  it('says that a very long source was shortened', async () => {
    await addSource(`https://acme.example/long?${'x'.repeat(3500)}`, null)
    await pickSource('long')
    await waitFor(() =>
      expect(JSON.stringify(mara.state().views.at(-1))).toContain('Source was shortened to 3000 characters.'),
    )
  })

  it('deletes the description that the user clears, even if the first attempt fails', async () => {
    await addSource('https://acme.example/journal', 'Old')
    const picked = await pickSource('journal')
    await waitFor(() => expect(initialValue('Description')).toBe('Old'))
    respond = ({ method }) => (method === 'PUT' ? new Response('{}', { status: 500 }) : undefined)
    const { view } = picked.container
    const cleared = { ...picked.values, ...mara.fill({ Description: '' }) }
    expect(await mara.submitView({ view, values: cleared })).toMatchObject({ done: true })
    await waitFor(() =>
      expect(JSON.stringify(mara.state().views.at(-1))).toMatch(/What you typed is still here/),
    )
    respond = () => undefined
    await mara.submitView({ view, values: {} })
    await mara.hears('Updated the source *https://acme.example/journal* in Acme.')
    const stored = await upnext.service.pool.query(
      "select coalesce(description, '') as description from service.source where source like '%/journal'",
    )
    expect(stored.rows).toEqual([{ description: '' }])
  })

  it('deletes the description if the user clears it', async () => {
    await addSource('https://acme.example/blog', 'Old')
    const picked = await pickSource('blog')
    await waitFor(() => expect(initialValue('Description')).toBe('Old'))
    const typed = { ...picked.values, ...mara.fill({ Description: '' }) }
    expect(await mara.submitView({ view: picked.container.view, values: typed })).toEqual({ done: true })
    await mara.hears('Updated the source *https://acme.example/blog* in Acme.')
    const { rows } = await upnext.service.pool.query(
      "select description from service.source where source like '%blog'",
    )
    expect(rows[0].description || null).toBeNull()
  })
})

describe('/invite-user', () => {
  it("fills in a member's name and email, and keeps other fields", async () => {
    const { id } = await openForm('/invite-user', 'Invite someone')
    const chosen = upnext.person('yuki').state().userId
    const typed = mara.fill({ PhoneNumber: '+49 30 1234', record: chosen })
    const action_id = elementOf('record')?.action_id ?? ''
    expect(
      await mara.dispatchAction({
        container: { view: id },
        block_id: 'record',
        action_id,
        value: chosen,
        values: typed,
      }),
    ).toEqual({
      done: true,
    })
    await waitFor(() => expect(initialValue('Email')).toMatch(/^yuki@/))
    expect([initialValue('FirstName'), initialValue('LastName')]).toEqual(['Yuki', 'Arai'])
    expect(initialValue('PhoneNumber')).toBe('+49 30 1234')
    const role = (await mara.pick('Role', 'VIEWER')).values
    expect(await mara.submitView({ view: id, values: role })).toEqual({ done: true })
    await mara.hears(/Invited yuki@.* to Acme as viewer\./)
  })

  it.each([
    ['whose email Slack does not show', 'ines', false],
    ['whom Slack fails to return', 'priya', true],
  ])('drops the email of the member picked before, next to one %s', async (_name, second, isDown) => {
    const { id } = await openForm('/invite-user', 'Invite someone')
    const choose = (handle: string, typed = {}) => {
      const value = upnext.person(handle).state().userId
      const action_id = elementOf('record')?.action_id ?? ''
      const values = mara.fill({ ...typed, record: value })
      return mara.dispatchAction({ container: { view: id }, block_id: 'record', action_id, value, values })
    }
    await choose('yuki')
    await waitFor(() => expect(initialValue('Email')).toMatch(/^yuki@/))
    const phone = '+49 30 1234'
    if (isDown)
      upnext.slack.controls.injectFault({ method: 'users.info', error: 'internal_error', times: 10 })
    await choose(second, { PhoneNumber: phone })
    await waitFor(() => expect(initialValue('Email')).toBeUndefined())
    expect(initialValue('PhoneNumber')).toBe(phone)
    upnext.slack.controls.clearFaults()
    upnext.slack.controls.clearAppPayloads()
    await mara.closeView({ view: id })
  })

  it("accepts any role, and shows the service's error for it", async () => {
    const { id } = await openForm('/invite-user', 'Invite someone')
    const role = (await mara.pick('Role', 'Puppeteer')).values
    const typed = { ...mara.fill({ FirstName: 'Bo', Email: 'bo@acme.example' }), ...role }
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: { Role: expect.stringContaining('ADMIN') },
    })
  })

  it('offers another invitation to the same project after the first', async () => {
    const { id: view } = await openForm('/invite-user', 'Invite someone')
    const { action_id = '', options = [] } = elementOf('project') ?? {}
    const value = options.find(({ text }) => text.text === 'Northwind')?.value ?? ''
    const values = { project: { [action_id]: value } }
    await mara.dispatchAction({ container: { view }, block_id: 'project', action_id, value, values })
    const chosenProject = () => elementOf('project')?.initial_option?.text.text
    await waitFor(() => expect(chosenProject()).toBe('Northwind'))
    const role = (await mara.pick('Role', 'EDITOR')).values
    const typed = { ...mara.fill({ FirstName: 'Dan', Email: 'dan@acme.example' }), ...role }
    await mara.submitAndHear({ view, values: typed }, 'Invited dan@acme.example to Northwind')
    await mara.pressLast('invite:open')
    await mara.form('Invite someone')
    expect(chosenProject()).toBe('Northwind')
  })
})

describe('/upnext user', () => {
  it('requires a role or a status', async () => {
    const { id } = await openForm('/upnext user', 'Change a user')
    const { values: typed } = await mara.pick('record', 'someone')
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: { Role: 'Pick a role or a status.' },
    })
  })

  it('does not take an unknown email address for a user ID', async () => {
    const { id } = await openForm('/upnext user', 'Change a user')
    const menu = {
      container: { view: id },
      block_id: 'record',
      action_id: elementOf('record')?.action_id ?? '',
    }
    expect(await mara.loadOptions({ ...menu, query: 'somebody@acme.example' })).toEqual({ options: [] })
  })

  it('lists people who were invited from Slack, and changes their role', async () => {
    const invitation = await openForm('/invite-user', 'Invite someone')
    const { values: role } = await mara.pick('Role', 'VIEWER')
    const ada = { ...mara.fill({ FirstName: 'Ada', Email: 'ada@acme.example' }), ...role }
    expect(await mara.submitView({ view: invitation.id, values: ada })).toEqual({ done: true })
    await mara.hears('Invited ada@acme.example to Acme')

    const { id } = await openForm('/upnext user', 'Change a user')
    const { values: typed } = await mara.pick('record', 'Ada · ada@acme.example')
    const newRole = (await mara.pick('Role', 'EDITOR')).values
    expect(await mara.submitView({ view: id, values: { ...typed, ...newRole } })).toEqual({ done: true })
    await mara.hears('Updated ada@acme.example in Acme: editor, active.')
  })

  it('keeps the address of a person if the service answers a change without it', async () => {
    await mara.invite('grace@acme.example', 'VIEWER')
    respond = async (request) => {
      if (request.method !== 'PUT') return undefined
      const { data } = (await (await systemRuntime.fetch(request)).json()) as {
        data: Record<string, unknown>
      }
      return Response.json({ success: true, data: { Id: data.Id, Role: data.Role, Status: data.Status } })
    }
    const { id: view } = await openForm('/upnext user', 'Change a user')
    const { values } = await mara.pick('record', 'grace@acme.example')
    const role = await mara.pick('Role', 'EDITOR')
    expect(await mara.submitView({ view, values: { ...values, ...role.values } })).toEqual({ done: true })
    await mara.hears('Updated')
    respond = () => undefined
    await mara.runAndHear('/upnext people', /grace@acme\.example/)
  })

  it("accepts an unknown user ID, and says that the service can't find it", async () => {
    const { id } = await openForm('/upnext user', 'Change a user')
    const { values: typed } = await mara.pick('record', '00000000-0000-4000-8000-000000000000')
    const role = (await mara.pick('Role', 'ADMIN')).values
    await mara.submitView({ view: id, values: { ...typed, ...role } })
    expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toContain(
      "The scheduling service can't find this",
    )
  })

  it('offers each known role once, whether typed in capitals or not', async () => {
    const { id } = await openForm('/upnext user', 'Change a user')
    const action_id = elementOf('Role')?.action_id ?? ''
    const search = { container: { view: id }, block_id: 'Role', action_id, query: 'editor' }
    const response = await mara.loadOptions(search)
    expect('options' in response && response.options.map(({ value }) => value)).toEqual(['EDITOR'])
  })
})

describe('/upnext prompt', () => {
  it('saves a prompt that a post can be written with', async () => {
    const { id } = await openForm('/upnext prompt', 'Create a prompt')
    const typed = mara.fill({ Title: 'Puns', PromptText: 'Write three puns.' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await mara.hears('Saved the prompt *Puns* in Acme.')
    await mara.pressLast('prompt:use')
    await mara.form('Schedule a post')
    await waitFor(() =>
      expect(JSON.stringify(mara.state().views.at(-1))).toMatch(
        /"initial_option":\{"text":\{"type":"plain_text","text":"Puns"/,
      ),
    )
    expect(JSON.stringify(mara.state().views.at(-1))).toMatch(
      /"initial_option":\{"text":\{"type":"plain_text","text":"Scheduled post"/,
    )
  })

  it('adds the prompt to the menu of the schedule form', async () => {
    const { id } = await openForm('/schedule-post A pun! tomorrow 9am on X', 'Schedule a post')
    const { values: typed } = await mara.pick('PromptId', 'Pun')
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
  })
})
