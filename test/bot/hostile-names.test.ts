import { afterEach, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
afterEach(() => upnext.close())

const CALL = '<!channel> & <@U000000005|x>'

/** Whatever the service says, all of it by people who would call everybody. */
const data: [RegExp, unknown][] = [
  [
    /\/projects$/,
    [
      { Id: 'p1', Name: CALL },
      { Id: 'p2', Name: `${CALL} too` },
    ],
  ],
  [
    /upnext-post$|\/posts$/,
    {
      Id: '1',
      Content: CALL,
      Platforms: [CALL],
      ScheduleDate: '2027-03-01T09:00:00Z',
      Status: CALL,
      Media: CALL,
    },
  ],
  [/logs$/, [{ Message: CALL, Level: CALL, Actor: CALL, Action: CALL, CreatedAt: CALL }]],
  [/templates$/, [{ Id: 't1', Title: CALL, Content: CALL, Description: CALL }]],
  [/templates\/t1$/, { Id: 't1', Title: CALL, Content: CALL, Description: CALL }],
  [/sources$/, [{ Id: 's1', Source: CALL, Description: CALL }]],
  [/sources\/s1$/, { Id: 's1', Source: CALL, Description: CALL }],
  [/users/, { Id: 'u1', Email: CALL, FirstName: CALL, LastName: CALL, Role: CALL, Status: CALL }],
  [/prompts$/, { Id: 'r1', Title: CALL }],
  [/webhook$|file$/, null],
]

/** Every text that Slack would look for markup in: of messages, and of blocks that are not plain. */
function markupIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    if (/^[[{]/.test(value) && ['blocks', 'view', 'body'].includes(key)) return markupIn(JSON.parse(value))
    return key === 'text' ? [value] : []
  }
  if (typeof value !== 'object' || value === null) return []
  if (Object(value).type === 'plain_text') return []
  return Object.entries(value).flatMap(([inner, one]) =>
    inner === 'private_metadata' ? [] : markupIn(one, inner),
  )
}

it('nobody is called by what somebody named a thing, wherever it is shown', async () => {
  upnext = await openUpnext({
    isUnlimited: true,
    api: {
      fetch: async (input, init) => {
        const { pathname } = new URL(new Request(input, init).url)
        return Response.json({ success: true, data: data.find(([path]) => path.test(pathname))?.[1] ?? null })
      },
    },
  })
  const mara = upnext.person('mara')
  const { appPayloads, clearAppPayloads } = upnext.slack.controls
  clearAppPayloads()
  for (const command of [
    '/upnext',
    '/upnext use p1',
    '/upnext',
    `/upnext posts ${CALL}`,
    '/upnext posts',
    '/list-logs',
    `/list-logs ${CALL}`,
    '/upnext templates',
    '/upnext projects',
    `/upnext use ${CALL}`,
    '/upnext use',
    `/upnext zone ${CALL}`,
    '/upnext webhook',
    '/upnext digest now',
    '/upnext digest weekdays at 9am',
    '/upnext digest pause',
    `/upnext ${CALL}`,
  ]) {
    const before = mara.told()
    await mara.run(command)
    await vi.waitFor(() => expect(mara.told()).not.toBe(before), { timeout: 5000 })
  }
  const submit = async (command: string, title: string, fill: (member: Member) => Promise<object>) => {
    await mara.run(command)
    const { id } = await mara.form(title)
    const values = { ...(await fill(mara)) }
    expect(await mara.submitView({ view: id, values }), command).toEqual({ done: true })
    await vi.waitFor(() => expect(mara.state().views).toEqual([]))
  }
  await submit('/schedule-post tomorrow 9am on Telegram', 'Schedule a post', async () => ({
    ...mara.fill({ Content: CALL }),
    tell: { tell: ['yes'] },
  }))
  await submit('/upnext prompt', 'Create a prompt', async () => mara.fill({ Title: CALL, PromptText: CALL }))
  await submit('/update-source', 'Update a source', async () => ({
    ...(await mara.pick('pick', 's1')).values,
    ...mara.fill({ Source: CALL }),
  }))
  await submit('/invite-user', 'Invite someone', async () => ({
    ...mara.fill({ FirstName: CALL, Email: 'ada@acme.example' }),
    ...(await mara.pick('Role', 'EDITOR')).values,
  }))
  await mara.hears('is invited to')
  await mara.run('/upnext outbox')
  await mara.hears('Your outbox')
  await mara.openAppTab({ tab: 'home' })
  await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('The next seven days'))

  expect(appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  const texts = appPayloads().flatMap(({ body }) => markupIn(body, 'body'))
  expect(texts.filter((text) => text.includes('&lt;!channel&gt; &amp;')).length).toBeGreaterThan(20)
  expect(texts.filter((text) => text.includes('<!channel>') || text.includes('<@U000000005|x>'))).toEqual([])
})
