import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApi } from '../../src/api/client.ts'
import { createProjectList } from '../../src/bot/slack/project-list.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { insertTemplate } from '../../src/service/stores/prompts-templates-sources-store.ts'
import { createTestClock } from '../support/clock.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
/** The names of the projects that the bot's token can see. */
let visibleProjects: string[] = []
/** Replaces the service's own list of projects. */
let projectsResponse: (() => Response) | undefined
let requests: string[] = []

const fetchVisible: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const { pathname } = new URL(request.url)
  requests.push(`${request.method} ${pathname}`)
  if (!pathname.endsWith('/projects')) return systemRuntime.fetch(request)
  if (projectsResponse) return projectsResponse()
  const response = await systemRuntime.fetch(request)
  const { data } = (await response.json()) as { data: { Items: { Name: string }[] } }
  return listResponse(data.Items.filter(({ Name }) => visibleProjects.includes(Name)))
}
const listResponse = (data: unknown[]) => Response.json({ success: true, data })

beforeAll(async () => {
  const projects = ['Acme', 'Acme Labs', 'Globex']
  upnext = await openUpnext({
    relaxTimeouts: true,
    projects,
    disableRateLimits: true,
    api: { fetch: fetchVisible },
  })
  mara = upnext.person('mara')
  await insertTemplate(upnext.service.db, {
    project_id: upnext.project,
    title: 'Opening',
    content: 'We are open!',
    description: null,
  })
})
beforeEach(() => {
  visibleProjects = ['Acme', 'Globex']
  projectsResponse = undefined
  requests = []
})
afterEach(async () => {
  for (const { id } of mara.state().views) await mara.closeView({ view: id })
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 60_000 })

const formText = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
const homeText = () => JSON.stringify(mara.state().home)
const openView = () => ({ view: mara.state().views.at(-1)?.id ?? '' })
const linkedTo = (name: string) => new RegExp(`<@U\\w+> linked <#C\\w+> to \\*${name}\\*\\.`)

async function linkChannel(name: string) {
  await mara.runAndHear(`/upnext use ${name}`, linkedTo(name))
}

type Option = { value: string; text: { text: string } }
type Menu = { action_id: string; options: Option[]; initial_option?: Option }

/** The project menu of the open form or of the Home tab. */
function projectMenu(blocks: object[]): { block_id: string; menu: Menu } {
  const block = blocks.find((candidate) =>
    /"project:choose"|"block_id":"project"/.test(JSON.stringify(candidate)),
  )
  const { block_id, element, accessory } = block as { block_id: string; element?: Menu; accessory?: Menu }
  const menu = element ?? accessory
  if (!menu) throw new Error('There is no project menu.')
  return { block_id, menu }
}

const optionFor = ({ options }: Menu, name: string) =>
  options.find(({ text }) => text.text === name)?.value ?? ''

describe('the project of a command', () => {
  const projectInForm = async () => {
    await mara.run('/schedule-post')
    const { id, blocks } = await mara.form('Schedule a post')
    await mara.closeView({ view: id })
    return projectMenu(blocks).menu.initial_option?.text.text
  }

  it("is the channel's, else the user's own, and is never guessed", async () => {
    expect(await projectInForm()).toBeUndefined()
    await mara.run('/upnext')
    await mara.hears(/Which project is this channel for\?\nAcme\nGlobex$/)
    // Guests can't link channels.
    await upnext.person('noor').runAndHear('/upnext', /Pick a project on the Home tab first/)
    await mara.openAppTab({ tab: 'home' })
    await waitFor(() => expect(homeText()).toContain('Pick a project to get started.'))
    const home = mara.state().home
    const { block_id, menu } = projectMenu(home?.blocks ?? [])
    const chosen = optionFor(menu, 'Globex')
    await mara.dispatchAction({
      container: { view: home?.id ?? '' },
      block_id,
      action_id: 'project:choose',
      value: chosen,
    })
    await waitFor(() => expect(homeText()).toContain('Next 7 days'))
    expect(await projectInForm()).toBe('Globex')
    await linkChannel('Acme')
    expect(await projectInForm()).toBe('Acme')
  })

  it('is offered after the first command, with buttons that link the channel', async () => {
    const tomas = upnext.person('tomas', 'general')
    await tomas.runAndHear('/upnext', /Which project is this channel for\?/)
    await tomas.pressLast('use:link:1')
    await waitFor(() => {
      const messages = JSON.stringify(tomas.state().messages)
      expect(messages).toMatch(linkedTo('Globex'))
      expect(messages).toContain('Linked this channel to *Globex*.')
    })
  })

  it("doesn't become the user's default elsewhere when a form in one channel uses it", async () => {
    await linkChannel('Acme')
    const yuki = upnext.person('yuki')
    await yuki.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await yuki.form('Schedule a post')
    await yuki.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
    await yuki.openAppTab({ tab: 'home' })
    await waitFor(() => expect(JSON.stringify(yuki.state().home)).toContain('Pick a project to get started.'))
  })

  it("is asked for in a channel whose own project is gone, although there's only one other", async () => {
    await mara.runAndHear('/upnext use Globex', /linked .*Globex/)
    visibleProjects = ['Acme']
    upnext.wait({ minutes: 2 })
    await mara.runAndHear('/upnext', /Which project is this channel for\?/)
    await mara.run('/schedule-post Northern lights! tomorrow 9am on X')
    const { id, blocks } = await mara.form('Schedule a post')
    expect(JSON.stringify(blocks.find(({ block_id }) => block_id === 'project'))).not.toContain(
      'initial_option',
    )
    await mara.closeView({ view: id })
    visibleProjects = ['Acme', 'Globex']
  })
})

describe('/upnext use', () => {
  it('announces the link to the whole channel, and is not for guests', async () => {
    await linkChannel('Globex')
    await upnext.person('yuki').hears(linkedTo('Globex'))
    const noor = upnext.person('noor')
    await noor.run('/upnext use Acme')
    await noor.hears('Guests have view-only access.')
    await mara.run('/upnext use')
    await waitFor(() =>
      expect(mara.lastMessage()).toMatchObject({
        isEphemeral: true,
        text: expect.stringMatching(linkedTo('Globex')),
      }),
    )
  })

  it('accepts a unique beginning of a name', async () => {
    visibleProjects = ['Acme', 'Acme Labs', 'Globex']
    await mara.runAndHear('/upnext use glo', linkedTo('Globex'))
    await mara.run('/upnext use ac')
    await mara.hears('No project is called "ac". Available: Acme, Acme Labs, Globex.')
    await mara.run('/upnext use acme')
    await mara.hears(linkedTo('Acme'))
  })
})

describe('a button', () => {
  /** Presses a button of the last message once the channel has another project. */
  async function pressAfterRelink(action_id: string): Promise<void> {
    const message = mara.lastMessage()
    await linkChannel('Globex')
    const block = message?.blocks?.find((candidate) => JSON.stringify(candidate).includes(action_id))
    const container = { channel: mara.channel, ts: message?.ts ?? '' }
    await mara.dispatchAction({ container, block_id: block?.block_id ?? '', action_id })
    await mara.form('Schedule a post')
  }

  it('changes nothing in another project if its own is gone', async () => {
    await linkChannel('Acme')
    await mara.run('/upnext delete-webhook')
    await mara.hears("Acme's webhook")
    projectsResponse = () => listResponse([{ Id: 'globex', Name: 'Globex' }])
    await mara.pressLast('delete-webhook:confirm')
    await mara.hears('That project no longer exists, or Upnext has no access to it.')
    expect(requests.filter((request) => request.startsWith('DELETE'))).toEqual([])
  })

  it('opens the form in its own project, even if the channel has another', async () => {
    await linkChannel('Acme')
    await mara.runAndHear('/upnext templates', 'Opening')
    await pressAfterRelink('templates:use')
    await waitFor(() =>
      expect(formText()).toMatch(
        /"initial_option":\{"text":\{"type":"plain_text","text":"Acme".*We are open!/,
      ),
    )
  })

  it('opens the form in its own project from the next post, too', async () => {
    await linkChannel('Acme')
    await mara.runAndHear('/upnext', /Acme/)
    await pressAfterRelink('schedule:open')
    await waitFor(() =>
      expect(formText()).toMatch(/"initial_option":\{"text":\{"type":"plain_text","text":"Acme"/),
    )
  })
})

describe('a form', () => {
  it('drops the template, but not the text, when the user changes the project', async () => {
    await linkChannel('Acme')
    await mara.run('/schedule-post')
    const { blocks } = await mara.form('Schedule a post')
    expect(await mara.dispatchAction(await mara.pick('TemplateId', 'Opening'))).toEqual({ done: true })
    await waitFor(() => expect(formText()).toContain('"initial_value":"We are open!"'))
    const { menu } = projectMenu(blocks)
    const chosen = optionFor(menu, 'Globex')
    const typed = { project: { [menu.action_id]: chosen } }
    await mara.dispatchAction({
      container: openView(),
      block_id: 'project',
      action_id: menu.action_id,
      value: chosen,
      values: typed,
    })
    await waitFor(() => expect(formText()).not.toContain('Opening'))
    expect(formText()).toContain('We are open!')
  })

  it.each([
    ['/update-source', 'Update a source'],
    ['/invite-user', 'Invite someone'],
    ['/upnext user', 'Change a user'],
  ])('has a button after %s that loads the projects if they could not be loaded', async (command, title) => {
    upnext.wait({ minutes: 61 })
    projectsResponse = () => Response.json({ detail: 'No' }, { status: 500 })
    await mara.run(command)
    await waitFor(() => expect(formText()).toContain("Couldn't load the projects."))
    projectsResponse = undefined
    const [, action_id = ''] = /"action_id":"(change:\w+:retry)"/.exec(formText()) ?? []
    await mara.dispatchAction({ container: openView(), block_id: 'project-status', action_id })
    expect(JSON.stringify(await mara.form(title))).toContain('"Acme"')
  })
})

describe('the known projects', () => {
  it('opens a form with them while the service is down, and soon adds new ones', async () => {
    await linkChannel('Acme')
    // Until then, the form uses the projects that were just loaded.
    upnext.wait({ minutes: 1 })
    projectsResponse = () => Response.json({ detail: 'No' }, { status: 500 })
    await mara.run('/schedule-post')
    const { id } = await mara.form('Schedule a post')
    await waitFor(() => expect(requests.filter((request) => request.endsWith('/projects'))).toHaveLength(2))
    expect(formText()).toContain('"Acme"')
    await mara.closeView({ view: id })
    projectsResponse = () => listResponse([{ id: 'p1', name: 'Brand new' }])
    await mara.run('/schedule-post')
    await waitFor(() => expect(formText()).toContain('"Brand new"'))
  })

  it('requests the projects once for forms that open within a second', async () => {
    const clock = createTestClock()
    let requestCount = 0
    const respond = async () => {
      requestCount += 1
      return listResponse([])
    }
    const access = { baseUrl: 'http://upnext.example', token: 'a-token' }
    const list = createProjectList(createApi({ ...clock.runtime, ...access, fetch: respond }), clock.now)
    await Promise.all([list.findCurrent(), list.findCurrent()])
    clock.advance(999)
    await list.findCurrent()
    expect(requestCount).toBe(1)
    clock.advance(1)
    await list.findCurrent()
    expect(requestCount).toBe(2)
  })
})

describe('two projects of one name', () => {
  it('show a part of their ids, and neither is meant by the name alone', async () => {
    projectsResponse = () =>
      listResponse([
        { id: 'project-a00001', name: 'Acme' },
        { id: 'project-a00002', name: 'acme' },
      ])
    await mara.runAndHear(
      '/upnext use Acme',
      /No project is called "Acme". Available: Acme \(a00001\), acme \(a00002\)\./,
    )
    await mara.runAndHear('/upnext use acme (a00002)', /linked <#C\w+> to \*acme \(a00002\)\*/)
  })
})

describe('a list of more than 100 projects', () => {
  it('is searched as the user types, in forms and on the Home tab', async () => {
    const projects = Array.from({ length: 130 }, (_, index) => ({
      id: `p${index}`,
      name: `Project ${index}`,
    }))
    projectsResponse = () => listResponse(projects)
    await linkChannel('Project 120')
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    await waitFor(() => expect(formText()).toMatch(/"external_select".*"text":"Project 120"/))
    const view = await mara.form('Schedule a post')
    const picked = await mara.pick('project', 'Project 99')
    await mara.submitView({ view: view.id, values: picked.values })
    const creation = requests.findLast((request) => request.startsWith('POST'))
    expect(creation).toMatch(/^POST .*\/p99\/posts$/)
    await mara.openAppTab({ tab: 'home' })
    await waitFor(() =>
      expect(homeText()).toMatch(
        /"external_select"[^}]*"project:choose"|"project:choose"[^}]*"external_select"/,
      ),
    )
    await mara.run('/upnext projects')
    await mara.hears(/Project 0[\s\S]*Project 129/)
  })

  it('says that a message has no room for all of them', async () => {
    const name = 'A long name '.repeat(8)
    projectsResponse = () =>
      listResponse(Array.from({ length: 200 }, (_, index) => ({ id: `p${index}`, name: `${index} ${name}` })))
    await mara.run('/upnext projects')
    await mara.hears(/0 A long name[\s\S]*There are more projects than a message can list/)
  })
})

describe('the next page of a list', () => {
  it('replaces the page before it', async () => {
    visibleProjects = ['Acme']
    await linkChannel('Acme')
    for (const day of [2, 3, 4, 5, 6, 7]) {
      await mara.run(`/schedule-post No. ${day}! in ${day} days at 9am on X`)
      await waitFor(() => expect(formText()).toContain('"Acme"'))
      const { id } = await mara.form('Schedule a post')
      await mara.submitView({ view: id, values: {} })
      await mara.hears(`No. ${day}!`)
    }
    await mara.run('/upnext posts')
    await mara.hears('More ›')
    const countMessages = () => mara.state().messages[mara.channel]?.length
    const before = countMessages()
    await mara.pressLast('posts:more')
    await mara.hears('‹ Back')
    expect(countMessages()).toBe(before)
  })
})
