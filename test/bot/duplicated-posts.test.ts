import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_WAIT, modalOf } from './approval-requests.ts'
import { pickFile, takePhoto } from './media/sample-files.ts'
import { type Member, openUpnext, type Respond, type Upnext, withoutExtensions } from './workspace.ts'

let upnext: Upnext
let mara: Member

// It is Friday 20 November 2026, 13:00 in Berlin.
async function open(respond: Respond = () => undefined) {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true, skipsUploadTime: true, respond })
  mara = upnext.person('mara')
}
afterEach(() => upnext.close())

async function schedule(words: string, heard: RegExp) {
  await mara.run(`/schedule-post ${words}`)
  const { id } = await mara.form('Schedule a post')
  await mara.submitAndHear({ view: id, values: {} }, heard)
}
/** Presses Duplicate in the open form for a change, which becomes the form for a new post. */
async function duplicateInForm(entered: Record<string, string | string[]> = {}) {
  const edit = mara.state().views.at(-1)
  const row = edit?.blocks.find((block) => JSON.stringify(block).includes('edit:duplicate'))
  await mara.dispatchAction({
    container: { view: edit?.id ?? '' },
    block_id: row?.block_id ?? '',
    action_id: 'edit:duplicate',
    values: mara.fill(entered),
  })
  return mara.form('Schedule a post')
}

describe('Duplicate in the form for a change', () => {
  it('schedules the copy without a question about the form that it replaced', async () => {
    await open()
    await schedule('Launch day! monday 9am on X', /Scheduled in/)
    await mara.run('/upnext edit launch')
    await mara.form('Edit a post')
    await mara.showMore()
    const { id } = await duplicateInForm()
    const values = mara.fill({ ScheduleDate: 'tuesday 9am', Content: 'Second day!' })
    await mara.submitAndHear({ view: id, values }, /Scheduled in.*Second day!/s)
  })

  it('copies the text as it stands in the form', async () => {
    await open()
    await schedule('Launch day! monday 9am on X', /Scheduled in/)
    await mara.run('/upnext edit launch')
    await mara.form('Edit a post')
    const { id } = await duplicateInForm({ Content: 'Launch night!', Platforms: ['X', 'LINKEDIN'] })
    const values = mara.fill({ ScheduleDate: 'tuesday 9am' })
    await mara.submitAndHear({ view: id, values }, /Scheduled in.*LinkedIn.*Launch night!/s)
    const { rows } = await upnext.service.pool.query(
      'select content from service.post order by schedule_date',
    )
    expect(rows).toEqual([{ content: 'Launch day!' }, { content: 'Launch night!' }])
  })

  it('copies the stored post from the menu of a calendar', async () => {
    await open()
    await schedule('Launch day! tomorrow 9am on X', /Scheduled in/)
    await mara.runAndHear('/upnext use Acme', /linked/)
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('calendar:open'), MAX_WAIT)
    await mara.dispatchAction(mara.findOnHome('calendar:open'))
    const view = () => mara.state().views.at(-1)
    await vi.waitFor(() => expect(JSON.stringify(view())).toContain('Launch day!'), MAX_WAIT)
    const [menu] = (view()?.blocks ?? []).flatMap((block) => {
      const { accessory } = block as { accessory?: { options?: { text: { text: string }; value: string }[] } }
      const option = accessory?.options?.find(({ text }) => text.text === 'Duplicate')
      return option ? [{ block_id: block.block_id ?? '', value: option.value }] : []
    })
    await mara.dispatchAction({
      container: { view: view()?.id ?? '' },
      action_id: 'record:menu',
      block_id: menu?.block_id ?? '',
      value: menu?.value ?? '',
    })
    await mara.form('Schedule a post')
    expect(JSON.stringify(view()?.blocks)).toMatch(/Launch day!/)
  })

  it('keeps a file that was picked in the form', async () => {
    await open()
    await schedule('Launch day! monday 9am on X', /Scheduled in/)
    await mara.run('/upnext edit launch')
    await mara.form('Edit a post')
    const MediaFile = [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())]
    await duplicateInForm({ MediaFile, AltText: 'A red lamp' })
    expect(modalOf(mara)).toMatch(/lamp\.jpg.*A red lamp/)
  })

  it('holds the copy if its channel holds posts by default', async () => {
    await open(withoutExtensions)
    await mara.runAndHear('/upnext hold on', /New posts from this channel are now held in Upnext/)
    await schedule('Launch day! tomorrow 9am on X', /Held in Upnext for Acme/)
    await mara.run('/upnext edit launch')
    await mara.form('Edit a post')
    const { id } = await duplicateInForm()
    const values = mara.fill({ ScheduleDate: 'monday 9am', Content: 'Second day!' })
    await mara.submitAndHear({ view: id, values }, /Held in Upnext for Acme.*Second day!/s)
  })
})

describe("a copy of a colleague's post with a described image", () => {
  const description = async () => {
    const query = "select media_description from service.post where content = 'Second day!'"
    return (await upnext.service.pool.query(query)).rows
  }

  it('keeps its description empty when it is edited, if it was cleared', async () => {
    await open()
    await mara.run('/schedule-post Launch day! monday 9am on X')
    const form = await mara.form('Schedule a post')
    const MediaFile = [await pickFile(upnext.slack, mara, 'lamp.jpg', await takePhoto())]
    const file = mara.fill({ MediaFile, AltText: 'A lamp with a wrong price' })
    await mara.submitView({ view: form.id, values: file })
    await vi.waitFor(
      async () => expect((await upnext.service.pool.query('select from service.post')).rowCount).toBe(1),
      MAX_WAIT,
    )
    await upnext.settled()
    // Descriptions that others enter are stored only with the post, not with Mara's upload.
    const yuki = upnext.person('yuki')
    await yuki.runAndHear('/upnext posts', /Launch day!/)
    await yuki.pickLast('Duplicate')
    const { id } = await yuki.form('Schedule a post')
    expect(modalOf(yuki)).toContain('A lamp with a wrong price')
    const values = yuki.fill({ Content: 'Second day!', ScheduleDate: 'tuesday 9am', AltText: '' })
    await yuki.submitAndHear({ view: id, values }, /Scheduled in/)
    await yuki.run('/upnext edit second')
    const { id: view } = await yuki.form('Edit a post')
    expect(modalOf(yuki)).toMatch(/lamp\.jpg.*Image description/)
    expect(modalOf(yuki)).not.toContain('A lamp with a wrong price')
    const later = yuki.fill({ ScheduleDate: 'wednesday 9am' })
    await yuki.submitAndHear({ view, values: later }, /Saved the changes.*Wed 25 Nov/s)
    expect(await description()).toEqual([{ media_description: null }])
  })
})
