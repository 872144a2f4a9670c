import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deadAddress, httpServer } from '../support/sockets.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
/** What happens to what the bot creates; undefined: nothing out of the ordinary. */
let fate: ((request: Request) => Promise<Response> | undefined) | undefined
let creations = 0

beforeEach(async () => {
  fate = undefined
  creations = 0
  upnext = await openUpnext({
    isUnlimited: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        if (request.method !== 'POST') return fetch(request)
        creations += 1
        return (await fate?.(request.clone())) ?? fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const down = async () => fetch(await deadAddress(), { method: 'POST' })
/** It arrives, and the answer does not. */
const lost = async (request: Request) => {
  await fetch(request)
  return silence()
}
/** It does not arrive, and there is no answer. */
const silence = async () => {
  const server = await httpServer((_, response) => void response.destroy())
  return fetch(server.url, { method: 'POST' }).finally(() => server.close())
}

const shown = (member = mara) => JSON.stringify(member.state().views.at(-1)?.blocks)
const contents = async () => {
  const { rows } = await upnext.service.pool.query('select content from service.post order by created_at, id')
  return rows.map(({ content }) => content)
}

const sendOff = async (content: string, member = mara) => {
  await member.run('/schedule-post tomorrow 9am Berlin time on X')
  const { id } = await member.form('Schedule a post')
  return { view: id, values: member.fill({ Content: content }) }
}
const isSaved = async (content: string, member = mara) => {
  const form = await sendOff(content, member)
  expect(await member.submitView(form)).toEqual({ done: true })
  expect(shown(member)).toContain('Saved, and on its way.')
  await member.closeView({ view: form.view })
  return form
}
const told = (words: string | RegExp, member = mara) =>
  vi.waitFor(() => expect(member.told()).toMatch(words), { timeout: 20_000 })

describe('what cannot be sent', () => {
  it('is kept, and the person is told once it is through', async () => {
    fate = down
    await isSaved('Launch day!')
    fate = undefined
    upnext.wait({ minutes: 1 })
    await told(/It took a while, and went through.[\s\S]*Scheduled in Acme[\s\S]*Launch day!/)
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('Launch day!'))
    expect(await contents()).toEqual(['Launch day!'])
  })

  it('is told of once, however long Slack takes to hear of it', async () => {
    fate = down
    await isSaved('Launch day!')
    fate = undefined
    upnext.slack.controls.injectFault({ method: 'chat.postEphemeral', delay_ms: 4000 })
    upnext.wait({ minutes: 1 })
    await told(/It took a while, and went through/)
    // Until that which is slow has been heard, too.
    await new Promise((resolve) => setTimeout(resolve, 6000))
    const news = upnext.slack.controls
      .appPayloads()
      .filter(({ body }) => JSON.stringify(body).includes('It took a while'))
    expect(news).toHaveLength(1)
  })

  it('is looked for before it is sent again: it is there already', async () => {
    fate = lost
    await isSaved('Launch day!')
    fate = undefined
    upnext.wait({ minutes: 1 })
    await told(/went through[\s\S]*Launch day!/)
    expect(await contents()).toEqual(['Launch day!'])
    expect(creations).toBe(1)
  })

  it('is looked for before it is sent again: it is not there', async () => {
    fate = silence
    await isSaved('Launch day!')
    fate = undefined
    upnext.wait({ minutes: 1 })
    await told(/went through[\s\S]*Launch day!/)
    expect(await contents()).toEqual(['Launch day!'])
    expect(creations).toBe(2)
  })

  it('is not looked for as long as it may still be on its way', async () => {
    fate = lost
    await isSaved('Launch day!')
    upnext.wait({ minutes: 0.3 })
    await new Promise((resolve) => setTimeout(resolve, 2500))
    await mara.run('/upnext outbox')
    await mara.hears(/whether it is there is looked up/)
  })

  it('is given up after a day, and can be tried again', async () => {
    fate = down
    await isSaved('Launch day!')
    upnext.wait({ minutes: 25 * 60 })
    await told(/could not be sent for a day[\s\S]*Launch day!/)
    fate = undefined
    await mara.pressLast('outbox:retry')
    await told(/went through[\s\S]*Launch day!/)
    expect(await contents()).toEqual(['Launch day!'])
  })
})

describe('a late refusal', () => {
  const refusal = async () =>
    Response.json({ detail: [{ loc: ['body', 'Content'], msg: 'Too dull', type: 'x' }] }, { status: 422 })

  it('brings the form back as it was, with what was wrong above the field', async () => {
    fate = down
    await isSaved('Launch <day>!')
    fate = refusal
    upnext.wait({ minutes: 1 })
    await told(/did not accept that[\s\S]*Content: Too dull[\s\S]*Launch &lt;day&gt;!/)
    fate = undefined
    await mara.pressLast('outbox:edit')
    const { id, blocks } = await mara.form('Schedule a post')
    const names = blocks.map(({ block_id }) => block_id)
    expect(names.indexOf('fault:Content')).toBe(names.indexOf('Content') - 1)
    expect(JSON.stringify(blocks)).toMatch(
      /Too dull.*"initial_value":"Launch <day>!".*"initial_value":"tomorrow 9am Berlin/,
    )
    expect(await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch night!' }) })).toEqual({
      done: true,
    })
    await told(/Scheduled in Acme[\s\S]*Launch night!/)
    await mara.run('/upnext outbox')
    await mara.hears(/it went through/)
    expect(mara.told()).not.toContain('Too dull')
  })

  it('can be discarded', async () => {
    fate = down
    await isSaved('Launch day!')
    fate = refusal
    upnext.wait({ minutes: 1 })
    await told('Too dull')
    await mara.pressLast('outbox:discard')
    await told('It is not in your outbox any more.')
    await mara.run('/upnext outbox')
    await mara.hears('There is nothing in your outbox.')
  })
})

describe('one form', () => {
  it('is sent off once, however often it is', async () => {
    fate = down
    const form = await sendOff('Launch day!')
    const both = await Promise.all([mara.submitView(form), mara.submitView(form)])
    expect(both).toEqual([{ done: true }, { done: true }])
    expect(shown()).toContain('Saved, and on its way.')
    fate = undefined
    upnext.wait({ minutes: 1 })
    await told(/went through/)
    expect(await contents()).toEqual(['Launch day!'])
  })

  it('that is filled in twice on purpose is two', async () => {
    fate = lost
    await isSaved('Launch day!')
    fate = undefined
    // A platform may refuse it, which is pointed out once; before that there is nothing to be seen.
    const again = await sendOff('Launch day!')
    await mara.submitView(again)
    if (shown().includes('Send it off once more')) await mara.submitView({ view: again.view, values: {} })
    upnext.wait({ minutes: 1 })
    await vi.waitFor(async () => expect(await contents()).toEqual(['Launch day!', 'Launch day!']), {
      timeout: 20_000,
    })
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(await contents()).toHaveLength(2)
  })
})

describe('what was made by another', () => {
  it('is not taken for what is looked for', async () => {
    await mara.submitView(await sendOff('Launch day!'))
    await mara.hears('Scheduled in Acme')
    const again = await sendOff('Launch day!')
    await mara.submitView(again)
    expect(shown()).toContain('Send it off once more')
    fate = silence
    await mara.submitView({ view: again.view, values: {} })
    expect(shown()).toContain('Saved, and on its way.')
    await mara.closeView({ view: again.view })
    fate = undefined
    upnext.wait({ minutes: 1 })
    await told(/It took a while, and went through/)
    expect(await contents()).toEqual(['Launch day!', 'Launch day!'])
  })
})

describe('what turns out to be made by another', () => {
  it('while it is taken for what is looked for, is let go at once', async () => {
    fate = lost
    await isSaved('Launch day!')
    fate = undefined
    const { pool } = upnext.service
    const { rows } = await pool.query('select id from service.post')
    const other = await pool.connect()
    await other.query('begin')
    await other.query(
      `insert into upnext.outbox_item (id, view_id, team_id, user_id, verb, project_id, project_name, is_telling, state, record_id, accepted_at)
       select gen_random_uuid(), 'another', team_id, 'another', verb, project_id, project_name, false, 'settled', $1, accepted_at from upnext.outbox_item`,
      [rows[0].id],
    )
    upnext.wait({ minutes: 1 })
    const waiting = async () => {
      const { rows } = await pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%outbox_item%'",
      )
      return rows
    }
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 20_000 })
    await other.query('commit')
    other.release()
    await told(/went through[\s\S]*Launch day!/)
    expect(await contents()).toEqual(['Launch day!', 'Launch day!'])
  })
})

describe('the order', () => {
  it('is kept for one person, and nobody else waits for theirs', async () => {
    fate = down
    await isSaved('First')
    fate = undefined
    await isSaved('Second')
    const yuki = upnext.person('yuki')
    expect(await yuki.submitView(await sendOff('Mine', yuki))).toEqual({ done: true })
    await told(/Scheduled in Acme[\s\S]*Mine/, yuki)
    expect(await contents()).toEqual(['Mine'])
    upnext.wait({ minutes: 1 })
    await told(/Second/)
    expect(await contents()).toEqual(['Mine', 'First', 'Second'])
  })

  it('passes by what awaits an answer of theirs, and asks with the facts', async () => {
    await mara.run('/invite-user')
    const { id } = await mara.form('Invite someone')
    const values = {
      ...mara.fill({ FirstName: 'Ada', Email: 'ada@acme.example' }),
      ...(await mara.pick('Role', 'EDITOR')).values,
    }
    fate = silence
    await mara.submitView({ view: id, values })
    await mara.closeView({ view: id })
    fate = undefined
    await isSaved('Second')
    upnext.wait({ minutes: 1 })
    await vi.waitFor(async () => expect(await contents()).toEqual(['Second']), { timeout: 20_000 })
    await mara.run('/upnext outbox')
    await mara.hears(/no clear answer came[\s\S]*Ada[\s\S]*ada@acme.example/)
    await mara.pressLast('outbox:retry')
    await told(/ada@acme.example is invited to Acme/)
    const { rows } = await upnext.service.pool.query(
      "select count(*)::int from service.person where email = 'ada@acme.example'",
    )
    expect(rows).toEqual([{ count: 1 }])
  })
})

describe('what was typed', () => {
  it('leaves the store a month after it went through', async () => {
    const form = await sendOff('Launch day!')
    await mara.submitView(form)
    await mara.hears('Scheduled in Acme')
    const kept = async () => {
      const { rows } = await upnext.service.pool.query(
        'select state, entries, body, data from upnext.outbox_item',
      )
      return rows
    }
    expect(JSON.stringify(await kept())).toContain('Launch day!')
    upnext.wait({ minutes: 31 * 24 * 60 })
    await vi.waitFor(
      async () => expect(await kept()).toEqual([{ state: 'settled', entries: null, body: null, data: null }]),
      { timeout: 20_000 },
    )
  })

  it('of people leaves every table of the bot, a month after', async () => {
    await mara.run('/invite-user')
    const { id } = await mara.form('Invite someone')
    const values = {
      ...mara.fill({
        FirstName: 'Ada',
        LastName: 'Byron',
        Email: 'ada@acme.example',
        PhoneNumber: '+49 30 1234567',
      }),
      ...(await mara.pick('Role', 'EDITOR')).values,
    }
    await mara.submitView({ view: id, values })
    await mara.hears('ada@acme.example is invited')
    const { pool } = upnext.service
    const { rows: tables } = await pool.query(
      "select table_schema || '.' || table_name as name from information_schema.tables where table_schema like 'upnext%'",
    )
    const all = async () => {
      const rows = await Promise.all(
        tables.map(({ name }) => pool.query(`select to_jsonb(one)::text as row from ${name} one`)),
      )
      return rows.flatMap((one) => one.rows.map(({ row }) => row)).join()
    }
    expect(await all()).toMatch(/ada@acme\.example/)
    upnext.wait({ minutes: 31 * 24 * 60 })
    await vi.waitFor(async () => expect(await all()).not.toMatch(/ada@acme\.example|1234567/), {
      timeout: 20_000,
    })
    expect(await all()).toContain('Ada Byron')
  })
})
