import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseCommand, runCommand } from '../../src/service/commands/run-command.ts'
import { startHttpServer } from '../support/servers.ts'
import { NO_PUBLISHERS } from '../support/service.ts'
import { MINUTE_MS, startPublishingProject } from './publishing-project.ts'

/** A project whose posts for Pinterest are published by a program that receives them. */
async function startProject(respond: Parameters<typeof startHttpServer>[0]) {
  const project = await startPublishingProject({ hasTelegram: false })
  const program = await startHttpServer(respond)
  onTestFinished(program.close)
  const output = await addWebhook(project, program.url)
  return { project, program, secret: output.split('\n').at(-1) ?? '' }
}

const addWebhook = (
  { service, clock }: Awaited<ReturnType<typeof startPublishingProject>>,
  url: string,
  publishing = NO_PUBLISHERS,
) =>
  runCommand(
    parseCommand(['account', 'add', 'webhook', '--project', 'Acme', '--platform', 'pinterest', '--url', url]),
    { db: service.db, now: clock.now(), runtime: clock.runtime, publishing },
  )

const GONE = "This publication doesn't exist, or was replaced by another one."

const FIELDS = { Content: 'Launch day', Platforms: ['PINTEREST'], MediaDescription: 'A lamp' }

describe('an account that is a webhook', () => {
  it('receives the post as a signed event, and confirms it later with its link', async () => {
    const { project, program, secret } = await startProject((_request, response) =>
      response.writeHead(202).end(),
    )
    const id = await project.schedule(FIELDS)
    await project.findPause()
    const [request] = program.received
    const event = JSON.parse(request?.body ?? '')
    expect(event).toMatchObject({
      type: 'post.publish',
      data: {
        ProjectId: project.project_id,
        PostId: id,
        Platform: 'PINTEREST',
        Content: FIELDS.Content,
        MediaDescription: FIELDS.MediaDescription,
      },
    })
    const headers = request?.headers as Record<string, string>
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(headers['webhook-signature']).toBe(
      new Webhook(secret).sign(headers['webhook-id'] ?? '', sentAt, request?.body ?? ''),
    )
    expect(await project.getPost(id)).toMatchObject({
      Status: 'SCHEDULED',
      Results: [{ State: 'PUBLISHING', Account: new URL(program.url).host }],
    })
    const Link = 'https://pinterest.example/pin/1'
    const confirmed = await project.confirm(event.data.PublicationId, { State: 'PUBLISHED', Link })
    expect([confirmed.status, confirmed.body.data]).toMatchObject([
      200,
      { Status: 'PUBLISHED', Results: [{ State: 'PUBLISHED', Link }] },
    ])
    expect(program.received).toHaveLength(1)
  })

  it('fails the post with the reason that the program gives', async () => {
    const { project, program } = await startProject((_request, response) => response.end())
    const id = await project.schedule(FIELDS)
    await project.findPause()
    const { PublicationId } = JSON.parse(program.received[0]?.body ?? '').data
    await project.confirm(PublicationId, { State: 'FAILED', Error: 'no such board' })
    const failed = { Status: 'FAILED', Results: [{ State: 'FAILED', Error: 'no such board' }] }
    expect(await project.getPost(id)).toMatchObject(failed)

    const repeated = await project.confirm(PublicationId, { State: 'FAILED' })
    expect([repeated.status, repeated.body.data]).toMatchObject([200, failed])
  })

  it('may confirm the post while it handles the event', async () => {
    let project: Awaited<ReturnType<typeof startPublishingProject>> | undefined
    const started = await startProject(async ({ body }, response) => {
      const { PublicationId } = JSON.parse(body).data
      const confirmed = await project?.confirm(PublicationId, { State: 'PUBLISHED' })
      response.writeHead(confirmed?.status === 200 ? 200 : 500).end()
    })
    project = started.project
    expect(await project.publish(FIELDS)).toMatchObject({ Status: 'PUBLISHED' })
    expect(started.program.received).toHaveLength(1)
  })

  it('may report a success after a failure, and a link after a success', async () => {
    const { project, program } = await startProject((_request, response) => response.end())
    const id = await project.schedule(FIELDS)
    await project.findPause()
    const { PublicationId } = JSON.parse(program.received[0]?.body ?? '').data
    await project.confirm(PublicationId, { State: 'FAILED', Error: 'too slow' })
    await project.confirm(PublicationId, { State: 'PUBLISHED' })
    expect(await project.getPost(id)).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ State: 'PUBLISHED', Error: null, Link: null }],
    })
    const Link = 'https://pinterest.example/pin/1'
    await project.confirm(PublicationId, { State: 'PUBLISHED', Link })
    expect((await project.getPost(id)).Results).toMatchObject([{ Link }])
    const { status, body } = await project.confirm(PublicationId, { State: 'FAILED' })
    expect([status, body.detail]).toEqual([409, 'This publication already succeeded.'])
  })

  it("doesn't let a person set the result while it publishes", async () => {
    const { project } = await startProject((_request, response) => response.end())
    const id = await project.schedule(FIELDS)
    await project.findPause()
    const json = { Platforms: ['PINTEREST'], State: 'PUBLISHED' }
    expect((await project.setResults(id, json)).status).toBe(409)
  })

  it('gets 404 for a publication that was replaced', async () => {
    const { project, program } = await startProject((_request, response) => response.end())
    const id = await project.schedule(FIELDS)
    await project.findPause()
    const { PublicationId } = JSON.parse(program.received[0]?.body ?? '').data
    await project.confirm(PublicationId, { State: 'FAILED' })
    await project.setResults(id, { Platforms: ['PINTEREST'], State: 'PUBLISHING' })
    const { status, body } = await project.confirm(PublicationId, { State: 'PUBLISHED' })
    expect([status, body.detail]).toEqual([404, GONE])
  })

  it.each(['none', 'upnext-1-1-pinterest', `upnext-${randomUUID()}-1-pinterest`])(
    'gets 404 for the publication %s',
    async (publication_id) => {
      const { project } = await startProject((_request, response) => response.end())
      const { status, body } = await project.confirm(publication_id, { State: 'PUBLISHED' })
      expect([status, body.detail]).toEqual([404, GONE])
    },
  )

  it('receives the title and the text of its platform', async () => {
    const { project, program } = await startProject((_request, response) => response.end())
    const Titles = { PINTEREST: 'A lamp for spring', YOUTUBE: 'Lamps' }
    await project.schedule({ ...FIELDS, Titles, Texts: { PINTEREST: 'Launch!', X: 'Today' } })
    await project.findPause()
    expect(JSON.parse(program.received[0]?.body ?? '').data).toMatchObject({
      Title: 'A lamp for spring',
      Content: 'Launch!',
    })
  })

  it('can be the account of several platforms', async () => {
    const { project, program } = await startProject((_request, response) => response.end())
    const args = ['account', 'add', 'webhook', '--project', 'Acme', '--platform', 'x', '--url', program.url]
    const { service, clock } = project
    await runCommand(parseCommand(args), {
      db: service.db,
      now: clock.now(),
      runtime: clock.runtime,
      publishing: NO_PUBLISHERS,
    })
    expect((await project.listAccounts()).map(({ Platform }: { Platform: string }) => Platform)).toEqual([
      'PINTEREST',
      'X',
    ])
  })

  it('gets a request again if the run that sent it was killed', async () => {
    const { project, program } = await startProject((_request, response) => response.end())
    await project.pauseAccounts()
    const id = await project.schedule(FIELDS)
    await project.waitForError(id, "waiting for the network's rate limit")
    await project.leaveRequestBehind(id)
    await project.skipPause()
    expect(program.received).toHaveLength(1)
  })

  it('is left to a person if it may have received the post', async () => {
    const { project } = await startProject((_request, response) => response.writeHead(503).end())
    const id = await project.schedule(FIELDS)
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({ Results: [{ State: 'UNKNOWN' }] })
  })

  it('is waited for if it may have received the post before a long outage', async () => {
    const { project, program } = await startProject((_request, response) => response.writeHead(503).end())
    const id = await project.schedule(FIELDS)
    await project.waitForError(id, 'the webhook responded with 503')
    project.clock.advance(3 * 60 * MINUTE_MS)
    await project.waitForError(id, 'an earlier request may have published it')
    const { PublicationId } = JSON.parse(program.received[0]?.body ?? '').data
    await project.confirm(PublicationId, { State: 'PUBLISHED' })
    expect(await project.getPost(id)).toMatchObject({ Status: 'PUBLISHED' })
    expect(program.received).toHaveLength(1)
  })

  it('gets a failed request again with the same webhook-id', async () => {
    const { project, program } = await startProject(({ index }, response) =>
      response.writeHead(index === 0 ? 503 : 200).end(),
    )
    const id = await project.schedule(FIELDS)
    await project.waitForError(id, 'the webhook responded with 503')
    await project.skipPause()
    const ids = program.received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  })

  it('fails the post if it rejects the request', async () => {
    const { project } = await startProject((_request, response) => response.writeHead(422).end())
    expect(await project.publish(FIELDS)).toMatchObject({
      Status: 'FAILED',
      Results: [{ Error: 'the webhook responded with 422' }],
    })
  })

  it('leaves the result unknown if the program confirms nothing for a day', async () => {
    const { project } = await startProject((_request, response) => response.end())
    const id = await project.schedule(FIELDS)
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({ Results: [{ State: 'UNKNOWN' }] })
  })

  it('may not be at a private address unless that is allowed', async () => {
    const project = await startPublishingProject({ hasTelegram: false })
    const publishing = { ...NO_PUBLISHERS, allowPrivateWebhooks: false }
    await expect(addWebhook(project, 'http://127.0.0.1:9/', publishing)).rejects.toThrow(
      'WEBHOOKS_TO_PRIVATE_ADDRESSES=true',
    )
    await expect(addWebhook(project, 'ftp://acme.example')).rejects.toThrow("isn't a valid URL")
  })
})
