import { expect, it } from 'vitest'
import { dateField } from '../../src/bot/forms/fields.ts'

const { read } = dateField('When', 'In your own words.')
const context = { now: new Date('2026-11-24T05:30:00Z'), zone: 'Europe/Berlin' }
const post = { at: new Date('2026-11-27T17:00:00Z'), zone: 'Europe/Berlin' }

it("counts from the post's own time when a post is changed", () => {
  expect(read({ value: '2 hours later' }, { ...context, post })).toMatchObject({
    values: ['2026-11-27T20:00:00+01:00', 'Europe/Berlin'],
    note: { message: expect.stringContaining("counted from the post's time, Fri 27 Nov 2026, 18:00") },
  })
})

it('counts from now for a new post', () => {
  expect(read({ value: '2 hours later' }, context)).toMatchObject({
    values: ['2026-11-24T08:30:00+01:00', 'Europe/Berlin'],
  })
})
