import { afterEach, expect, it } from 'vitest'
import { openPublishingWorkspace, type PublishingWorkspace } from './publishing-workspace.ts'

let upnext: PublishingWorkspace
afterEach(() => upnext.close())
const alerts = () =>
  upnext.inChannel().filter((text) => /^\["Acme|Resolved|Failed again|needs attention/.test(text))

it.each([false, true])(
  'keeps the alert of a broken account open across a deploy during which the service is slow (%s)',
  async (isSlow) => {
    let isDocumentDown = false
    upnext = await openPublishingWorkspace({
      respond: ({ url }) =>
        isDocumentDown && url.endsWith('/openapi.json') ? new Response(null, { status: 503 }) : undefined,
    })
    await upnext.addTelegram()
    await upnext.mara.run('/upnext alerts here')
    await upnext.waitFor(() => expect(upnext.inChannel().join()).toMatch(/turned on alerts/))
    await upnext.service.pool.query("update service.account set problem = 'Telegram rejected the token.'")
    await upnext.checkOften()
    await upnext.waitFor(() => expect(alerts()).toHaveLength(1))
    expect(alerts()[0]).toMatch(/needs attention/)
    await upnext.stopBot()
    isDocumentDown = isSlow
    await upnext.startSecondBot()
    for (let i = 0; i < 12; i++) {
      await upnext.passTime({ minutes: 1 })
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    isDocumentDown = false
    expect(alerts().join()).not.toMatch(/Resolved/)
  },
)
