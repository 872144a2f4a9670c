import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_WAIT, modalOf, sees } from './approval-requests.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let yuki: Member
const admins: string[] = []

beforeEach(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, admins })
  mara = upnext.person('mara')
  yuki = upnext.person('yuki')
  admins.splice(0, admins.length, mara.userId)
})
afterEach(() => upnext.close())

/** Longer than what a message quotes of a text. */
const BEGINNING = 'We are opening our new shop in Berlin. '.repeat(8)

type Contents = {
  content: string
  platforms: string[]
  texts?: Record<string, string>
  titles?: Record<string, string>
}
const addPost = ({ content, platforms, texts, titles }: Contents) =>
  upnext.service.pool.query(
    `insert into service.post (project_id, content, texts, titles, platforms, status, schedule_date, timezone)
     values ($1, $2, $3, $4, $5, 'SCHEDULED', '2026-11-27T09:00Z', 'Europe/Berlin')`,
    [upnext.project, content, JSON.stringify(texts ?? null), JSON.stringify(titles ?? null), platforms],
  )

async function openEdit(member: Member, words: string) {
  await member.run(`/upnext edit ${words}`)
  return (await member.form('Edit a post')).id
}

describe("the question before a colleague's change is replaced", () => {
  /** Yuki saves a form that she opened before Mara changed the post. */
  async function saveAfterChange(values: Record<string, string>) {
    const view = await openEdit(yuki, 'common')
    const edit = await openEdit(mara, 'common')
    await mara.submitAndHear({ view: edit, values: mara.fill(values) }, /Saved the changes/)
    await yuki.submitView({ view, values: yuki.fill({ Content: 'Common text!' }) })
    await vi.waitFor(() => expect(modalOf(yuki)).toMatch(/@mara changed this post/), MAX_WAIT)
  }

  it("shows a change at the end of a platform's long text", async () => {
    await addPost({
      content: 'Common text',
      platforms: ['X', 'LINKEDIN'],
      texts: { LINKEDIN: `${BEGINNING}Doors open at 9.` },
    })
    await saveAfterChange({ 'Texts.LINKEDIN': `${BEGINNING}Doors open at 11, because of the strike.` })
    expect(modalOf(yuki)).toMatch(/on LinkedIn: \\"….*11, because of the strike\./)
  })

  it("names a platform's text and a title that were removed", async () => {
    await addPost({
      content: 'Common text',
      platforms: ['LINKEDIN', 'REDDIT'],
      texts: { LINKEDIN: 'Wrong price: 5 EUR' },
      titles: { REDDIT: 'Wrong title' },
    })
    await saveAfterChange({ 'Texts.LINKEDIN': '', 'Titles.REDDIT': '' })
    expect(modalOf(yuki)).toMatch(/without its own title on Reddit · without its own text on LinkedIn/)
  })
})

describe('the form for a post with a change that waits for approval', () => {
  async function requireApproval() {
    await mara.run('/upnext approval')
    const { id } = await mara.form('Approval')
    const values = mara.fill({ mode: 'required', approvers: [yuki.userId], options: [] })
    await mara.submitAndHear({ view: id, values }, /need approval/)
  }

  it.each([
    [
      'text',
      { Content: `${BEGINNING}Doors open at 11, because of the strike.` },
      /11, because of the strike\./,
    ],
    ['media', { Media: 'https://acme.example/strike.png' }, /with https:\/\/acme\.example\/strike\.png/],
  ])('shows the %s of that change', async (_part, values: Record<string, string>, words) => {
    await addPost({ content: `${BEGINNING}Doors open at 9.`, platforms: ['LINKEDIN'] })
    await requireApproval()
    const view = await openEdit(mara, 'opening')
    await mara.submitView({ view, values: mara.fill(values) })
    await sees(yuki, /asks for your approval to change/)
    const priya = upnext.person('priya')
    await openEdit(priya, 'opening')
    expect(modalOf(priya)).toMatch(/isn't approved yet/)
    expect(modalOf(priya)).toMatch(words)
  })
})
