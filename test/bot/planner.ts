import { expect, vi } from 'vitest'
import { pickFile } from './media/sample-files.ts'
import type { Member, Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

/** What a member does with plans. */
export function planner(current: () => { upnext: Upnext; mara: Member }) {
  const views = () => current().mara.state().views
  const shown = () => JSON.stringify(views().at(-1)?.blocks)
  const seesReview = (words: RegExp) => vi.waitFor(() => expect(shown()).toMatch(words), MAX_WAIT)
  const directMessages = () =>
    Object.entries(current().mara.state().messages)
      .filter(([channel]) => channel.startsWith('D'))
      .flatMap(([, messages]) => messages.map(({ text = '' }) => text))
  const waitForDirectMessage = (words: RegExp) =>
    current().upnext.waitFor(() => expect(directMessages().at(-1)).toMatch(words))
  const pressInMessage = async (action_id: string) => {
    const [channel = '', messages = []] =
      Object.entries(current().mara.state().messages).find(
        ([id, listed]) => id.startsWith('D') && listed.length,
      ) ?? []
    const message = messages.at(-1)
    const block = message?.blocks?.find((one) => JSON.stringify(one).includes(action_id))
    await current().mara.dispatchAction({
      container: { channel, ts: message?.ts ?? '' },
      block_id: block?.block_id ?? '',
      action_id,
    })
  }
  const storedPosts = async () =>
    (
      await current().upnext.service.pool.query(
        'select content, status, schedule_date from service.post order by schedule_date',
      )
    ).rows

  async function importText(text: string): Promise<void> {
    await current().mara.run('/upnext import')
    const { id } = await current().mara.form('Import a plan')
    const submitted = await current().mara.submitView({
      view: id,
      values: current().mara.fill({ Plan: text }),
    })
    expect(submitted).toEqual({ done: true })
  }
  async function importFile(name: string, content: string | Buffer): Promise<void> {
    await current().mara.run('/upnext import')
    const { id } = await current().mara.form('Import a plan')
    const file = await pickFile(current().upnext.slack, current().mara, name, Buffer.from(content))
    await current().mara.submitView({ view: id, values: current().mara.fill({ PlanFile: [file] }) })
  }
  const press = async (action_id: string) => {
    const view = views().at(-1)
    const elements = (view?.blocks ?? []).flatMap((block) => [
      ...('elements' in block ? (block.elements as { action_id?: string }[]) : []),
      ...('accessory' in block ? [block.accessory as { action_id?: string }] : []),
    ])
    const block = view?.blocks.find((one) => JSON.stringify(one).includes(`"action_id":"${action_id}"`))
    expect(elements.some((element) => element.action_id === action_id)).toBe(true)
    await current().mara.dispatchAction({
      container: { view: view?.id ?? '' },
      block_id: block?.block_id ?? '',
      action_id,
    })
  }
  return {
    views,
    shown,
    seesReview,
    directMessages,
    waitForDirectMessage,
    pressInMessage,
    storedPosts,
    importText,
    importFile,
    press,
  }
}
