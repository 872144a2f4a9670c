import { afterEach, describe, expect, it, vi } from 'vitest'
import { insertTemplate } from '../../src/service/storage/templates.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let asked: string[] = []
/** The projects as the service would list them; undefined: as they are. */
let projects: (() => Response | Promise<Response>) | undefined

const open = async (names = ['Acme', 'Globex']) => {
  asked = []
  projects = undefined
  upnext = await openUpnext({
    projects: names,
    isUnlimited: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        asked.push(`${request.method} ${new URL(request.url).pathname}`)
        return (request.url.endsWith('/projects') && projects?.()) || fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
}
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const list = (...all: { id: string; name: string }[]) => Response.json({ success: true, data: all })
const shown = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
const at = () => ({ view: mara.state().views.at(-1)?.id ?? '' })
const use = async (name: string) => {
  await mara.run(`/upnext use ${name}`)
  await mara.hears(`is about *${name}* now`)
}

describe("a channel's project", () => {
  it('is set for all to see, and not by guests', async () => {
    await open()
    await use('Globex')
    await vi.waitFor(() =>
      expect(upnext.person('yuki').lastMessage()?.text).toContain('is about *Globex* now'),
    )
    const noor = upnext.person('noor')
    await noor.run('/upnext use Acme')
    await noor.hears('Guests can look here')
    await mara.run('/upnext use')
    await mara.hears('is about *Globex*;')
  })
})

describe('a button of one project', () => {
  it('does nothing to another when that one is gone', async () => {
    await open()
    await use('Acme')
    await mara.run('/upnext webhook')
    await mara.hears('the webhook of Acme')
    projects = () => list({ id: 'globex', name: 'Globex' })
    await mara.pressLast('webhook:delete')
    await mara.hears('That project is not there any more')
    expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual([])
  })

  it('opens the form in that project, whatever the channel is about by then', async () => {
    await open()
    await insertTemplate(upnext.service.db, {
      project_id: upnext.project,
      title: 'Opening',
      content: 'We are open!',
      description: null,
    })
    await use('Acme')
    await mara.run('/upnext templates')
    await mara.hears('Opening')
    const templates = mara.lastMessage()
    await use('Globex')
    const block = templates?.blocks?.find((one) => JSON.stringify(one).includes('templates:use'))
    await mara.dispatchAction({
      container: { channel: mara.channel, ts: templates?.ts ?? '' },
      block_id: block?.block_id ?? '',
      action_id: 'templates:use',
    })
    await mara.form('Schedule a post')
    await vi.waitFor(() =>
      expect(shown()).toMatch(/"initial_option":\{"text":\{"type":"plain_text","text":"Acme".*We are open!/),
    )
  })

  it('loses its template where the form moves to another', async () => {
    await open()
    const made = await insertTemplate(upnext.service.db, {
      project_id: upnext.project,
      title: 'Opening',
      content: 'We are open!',
      description: null,
    })
    await use('Acme')
    await mara.run('/schedule-post')
    const view = await mara.form('Schedule a post')
    const picked = await mara.pick('TemplateId', 'Opening')
    expect(picked.value).toBe(made.id)
    expect(await mara.dispatchAction(picked)).toEqual({ done: true })
    await vi.waitFor(() => expect(shown()).toContain('"initial_value":"We are open!"'))
    const element = Object(view.blocks.find(({ block_id }) => block_id === 'project')).element
    const globex = element.options.find((one: { text: { text: string } }) => one.text.text === 'Globex').value
    const values = { project: { [element.action_id]: globex } }
    await mara.dispatchAction({
      container: at(),
      block_id: 'project',
      action_id: element.action_id,
      value: globex,
      values,
    })
    await vi.waitFor(() => expect(shown()).not.toContain('Opening'))
    expect(shown()).toContain('We are open!')
  })
})

describe('a form that opened while the projects could not be had', () => {
  it.each([
    ['/update-source', 'Update a source'],
    ['/invite-user', 'Invite someone'],
    ['/upnext user', 'Change a user'],
  ])('%s gets them at the press of a button', async (command, title) => {
    await open(['Acme'])
    projects = () => Response.json({ detail: 'No' }, { status: 500 })
    await mara.run(command)
    await vi.waitFor(() => expect(shown()).toContain('The projects could not be fetched.'))
    projects = undefined
    const [, action_id = ''] = /"action_id":"(chosen:\w+:again)"/.exec(shown()) ?? []
    await mara.dispatchAction({ container: at(), block_id: 'looking', action_id })
    expect(JSON.stringify(await mara.form(title))).toContain('"Acme"')
  })
})

describe('more projects than a list holds', () => {
  const many = () =>
    list(...Array.from({ length: 130 }, (_, index) => ({ id: `p${index}`, name: `Project ${index}` })))

  it('are looked up as one types, in every form and on the Home', async () => {
    await open()
    projects = many
    await mara.run('/upnext use Project 120')
    await mara.hears('is about *Project 120* now')
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const view = await mara.form('Schedule a post')
    expect(JSON.stringify(view.blocks)).toMatch(/"external_select".*"text":"Project 120"/)
    const picked = await mara.pick('project', 'Project 99')
    expect(await mara.submitView({ view: view.id, values: picked.values })).toEqual({ done: true })
    expect(asked.at(-1)).toMatch(/p99/)
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('project:choose'))
    await mara.run('/upnext projects')
    await mara.hears(/Project 0[\s\S]*Project 129/)
  })
})

describe('which project is meant', () => {
  const projectOf = async (command: string) => {
    await mara.run(command)
    const view = await mara.form('Schedule a post')
    await mara.closeView({ view: view.id })
    const element = Object(view.blocks.find(({ block_id }) => block_id === 'project')).element
    return element.initial_option?.text.text
  }

  it('is never guessed among several; then it is the last one, and the channel goes before that', async () => {
    await open(['Acme', 'Globex'])
    expect(await projectOf('/schedule-post')).toBeUndefined()
    await mara.run('/upnext')
    await mara.hears(/Which project is this channel about\? .*Acme.*Globex/)
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('Choose below which project'))
    const home = mara.state().home
    const block = home?.blocks.find((one) => JSON.stringify(one).includes('project:choose'))
    const options: { value: string; text: { text: string } }[] = Object(Object(block).accessory).options
    await mara.dispatchAction({
      container: { view: home?.id ?? '' },
      block_id: block?.block_id ?? '',
      action_id: 'project:choose',
      value: options.find(({ text }) => text.text === 'Globex')?.value ?? '',
    })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('The next seven days'))
    expect(await projectOf('/schedule-post')).toBe('Globex')
    await use('Acme')
    expect(await projectOf('/schedule-post')).toBe('Acme')
  })

  it('may be written short where that is clear, and not where it is not', async () => {
    await open(['Acme', 'Acme Labs', 'Globex'])
    await mara.run('/upnext use glo')
    await mara.hears('is about *Globex* now')
    await mara.run('/upnext use ac')
    await mara.hears('There is no project "ac". There are: Acme, Acme Labs, Globex.')
    await mara.run('/upnext use acme')
    await mara.hears('is about *Acme* now')
  })
})

describe('a page that is turned', () => {
  it('takes the place of the one before', async () => {
    await open(['Acme'])
    for (const day of [2, 3, 4, 5, 6, 7]) {
      await mara.run(`/schedule-post No. ${day}! in ${day} days at 9am on X`)
      const { id } = await mara.form('Schedule a post')
      await mara.submitView({ view: id, values: {} })
      await mara.hears(`No. ${day}!`)
    }
    await mara.run('/upnext posts')
    await mara.hears('More ›')
    const before = mara.state().messages[mara.channel]?.length
    await mara.pressLast('posts:more')
    await mara.hears('‹ Back')
    expect(mara.state().messages[mara.channel]?.length).toBe(before)
  })
})
