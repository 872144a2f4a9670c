import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

/** Slack would notify the whole channel if it read this as markup. */
const MENTION = '<!channel> & <@U000000005|x>'

/** A service in which every name and text contains a mention. */
const PAYLOADS: [path: RegExp, data: unknown][] = [
  [
    /\/projects$/,
    [
      { Id: 'p1', Name: MENTION },
      { Id: 'p2', Name: `${MENTION} too` },
    ],
  ],
  [
    /upnext-post$|\/posts$/,
    {
      Id: '1',
      Content: MENTION,
      Platforms: [MENTION],
      ScheduleDate: '2027-03-01T09:00:00Z',
      Status: MENTION,
      Media: MENTION,
    },
  ],
  [/logs$/, [{ Message: MENTION, Level: MENTION, Actor: MENTION, Action: MENTION, CreatedAt: MENTION }]],
  [/templates$/, [{ Id: 't1', Title: MENTION, Content: MENTION, Description: MENTION }]],
  [/templates\/t1$/, { Id: 't1', Title: MENTION, Content: MENTION, Description: MENTION }],
  [/sources$/, [{ Id: 's1', Source: MENTION, Description: MENTION }]],
  [/sources\/s1$/, { Id: 's1', Source: MENTION, Description: MENTION }],
  [
    /users/,
    { Id: 'u1', Email: MENTION, FirstName: MENTION, LastName: MENTION, Role: MENTION, Status: MENTION },
  ],
  [/prompts$/, { Id: 'r1', Title: MENTION }],
  [/webhook$|file$/, null],
]

const COMMANDS = [
  '/upnext',
  '/upnext use p1',
  '/upnext',
  `/upnext posts ${MENTION}`,
  '/upnext posts',
  '/list-logs',
  `/list-logs ${MENTION}`,
  '/upnext templates',
  '/upnext projects',
  `/upnext use ${MENTION}`,
  '/upnext use',
  `/upnext zone ${MENTION}`,
  '/upnext delete-webhook',
  '/upnext digest now',
  '/upnext digest weekdays at 9am',
  '/upnext digest pause',
  `/upnext ${MENTION}`,
]

/** All texts of a request to Slack in which Slack looks for markup. */
function markupTexts(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    if (/^[[{]/.test(value) && ['blocks', 'view', 'body'].includes(key)) return markupTexts(JSON.parse(value))
    return key === 'text' ? [value] : []
  }
  if (typeof value !== 'object' || value === null) return []
  if ('type' in value && value.type === 'plain_text') return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'private_metadata' ? [] : markupTexts(inner, name),
  )
}

let upnext: Upnext
beforeAll(async () => {
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    api: {
      fetch: async (input, init) => {
        const { pathname } = new URL(new Request(input, init).url)
        const payload = PAYLOADS.find(([path]) => path.test(pathname))
        return Response.json({ success: true, data: payload?.[1] ?? null })
      },
    },
  })
})
afterAll(() => upnext.close())

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 60_000 })

async function submit(member: Member, command: string, title: string, fill: () => object) {
  await member.run(command)
  const { id } = await member.form(title)
  expect(await member.submitView({ view: id, values: { ...(await fill()) } }), command).toEqual({
    done: true,
  })
  await waitFor(() => expect(member.state().views).toEqual([]))
}

describe('a mention in a name or text from the service', () => {
  it('notifies nobody, wherever the bot shows it', async () => {
    const mara = upnext.person('mara')
    const { appPayloads, clearAppPayloads } = upnext.slack.controls
    clearAppPayloads()
    for (const command of COMMANDS) {
      const before = mara.lastMessage()?.ts
      await mara.run(command)
      await waitFor(() => expect(mara.lastMessage()?.ts, command).not.toBe(before))
    }
    await submit(mara, '/schedule-post tomorrow 9am on Telegram', 'Schedule a post', () => ({
      ...mara.fill({ Content: MENTION }),
      notify: { notify: ['yes'] },
    }))
    await submit(mara, '/upnext prompt', 'Create a prompt', () =>
      mara.fill({ Title: MENTION, PromptText: MENTION }),
    )
    await submit(mara, '/update-source', 'Update a source', async () => ({
      ...(await mara.pick('record', 's1')).values,
      ...mara.fill({ Source: MENTION }),
    }))
    await submit(mara, '/invite-user', 'Invite someone', async () => ({
      ...mara.fill({ FirstName: MENTION, Email: 'ada@acme.example' }),
      ...(await mara.pick('Role', 'EDITOR')).values,
    }))
    await mara.hears(/^Invited/)
    await mara.run('/upnext outbox')
    await mara.hears('Your outbox')
    await mara.openAppTab({ tab: 'home' })
    await waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('Pick a project to get started.'))
    await mara.dispatchAction({ ...mara.findOnHome('project:choose'), value: 'p1' })
    await waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('Next 7 days'))

    expect(appPayloads().flatMap(({ problems }) => problems)).toEqual([])
    const texts = appPayloads().flatMap(({ body }) => markupTexts(body, 'body'))
    expect(texts.filter((text) => text.includes('&lt;!channel&gt; &amp;')).length).toBeGreaterThan(20)
    expect(texts.filter((text) => text.includes('<!channel>') || text.includes('<@U000000005|x>'))).toEqual(
      [],
    )
  })
})
