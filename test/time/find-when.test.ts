import { describe, expect, it } from 'vitest'
import { findWhen } from '../../src/time/find-when.ts'
import { inBerlin, summarizeReading } from './summarize-reading.ts'

const TOMORROW_9AM = 'Sat 21 Nov 09:00 +01:00'

function findAndSummarize(text: string): [reading: string, post: string] {
  const found = findWhen(text, inBerlin)
  return [summarizeReading(found.reading), found.text]
}

describe('findWhen', () => {
  it.each([
    ['Launch day! We are live :rocket: tomorrow 9am', 'Launch day! We are live :rocket:'],
    ['Launch day! tomorrow 9am', 'Launch day!'],
    ['We are hiring 🎉 tomorrow 9am', 'We are hiring 🎉'],
    ['New episode — tomorrow 9am', 'New episode'],
    ['New episode | tomorrow 9am', 'New episode'],
    ['New episode\ntomorrow 9am', 'New episode'],
    ['New episode 🇩🇪 tomorrow 9am', 'New episode 🇩🇪'],
    ['Launch! tomorrow at 9 a.m.', 'Launch!'],
    ['Launch!\ntomorrow\n9am', 'Launch!'],
    ['Launch! tomorrow | 9am', 'Launch!'],
    ['Launch! tomorrow 9am <@U123> 🎉', 'Launch! <@U123> 🎉'],
    ['Sale every day! tomorrow 9am', 'Sale every day!'],
    ['We ship today! schedule for tomorrow 9am', 'We ship today!'],
    ['Doors open at 6pm, schedule it for tomorrow 9am', 'Doors open at 6pm'],
    ['tomorrow 9am', ''],
  ])('findWhen removes a separate time from the post: %s', (text, post) => {
    expect(findAndSummarize(text)).toEqual([TOMORROW_9AM, post])
  })

  it.each([
    ['Join us on 12 March at 6pm!', 'Fri 12 Mar 2027 18:00 +01:00?'],
    ['Launch day tomorrow 9am', `${TOMORROW_9AM}?`],
    ['Go live tomorrow 9am', `${TOMORROW_9AM}?`],
    ['tomorrow 9am: live with Bob', `${TOMORROW_9AM}?`],
    ['Learn how to post at 9am', `${TOMORROW_9AM}?`],
    ['Our team will post on Saturday at 9am', `${TOMORROW_9AM}?`],
    ['Sale ends today! Get it at 5pm', 'Fri 20 Nov 17:00 +01:00?'],
    ['Meeting notes, tomorrow 9am', `${TOMORROW_9AM}?`],
  ])('findWhen keeps a time inside a sentence in the post and asks about it: %s', (text, reading) => {
    expect(findAndSummarize(text)).toEqual([reading, text])
  })

  it.each([
    ['Hello world', 'no: nonsense'],
    ['Top 10 tips for may', 'no: nonsense'],
    ['That was great. yesterday 9am', 'no: past'],
    ['Launch! monday and tuesday 9am', 'no: several'],
    ['Launch! 9am ET | 6am PT', 'no: several'],
    ['Launch! from 9am - 5pm', 'no: range'],
    ['every monday 9am', 'no: recurrence'],
    ['next week', 'no: vague'],
  ])('findWhen returns the whole text if it finds no time: %s', (text, reading) => {
    expect(findAndSummarize(text)).toEqual([reading, text])
  })

  it('findWhen refuses a text of more than 4000 characters', () => {
    expect(findAndSummarize('x'.repeat(4001))[0]).toBe('no: too-long')
    expect(findAndSummarize(`${'word '.repeat(700)}! tomorrow 9am`)[0]).toBe(TOMORROW_9AM)
  })
})
