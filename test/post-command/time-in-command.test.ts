import { describe, expect, it } from 'vitest'
import { readPostCommand } from '../../src/post-command/read-post-command.ts'
import { findWhen as find, inBerlin } from '../time/summarize-reading.ts'

describe('a time in a command', () => {
  it.each([
    ['Launch day! tomorrow 9am', 'tomorrow 9am', 'Launch day!'],
    ['Launch day tomorrow 9am', 'tomorrow 9am', 'Launch day'],
    ['We are hiring 🎉 tomorrow 9am', 'tomorrow 9am', 'We are hiring 🎉'],
    ['New episode — tomorrow 9am', 'tomorrow 9am', 'New episode'],
    ['New episode\ntomorrow 9am', 'tomorrow 9am', 'New episode'],
    ['Launch!\ntomorrow\n9am', 'tomorrow\n9am', 'Launch!'],
    ['Launch! tomorrow | 9am', 'tomorrow | 9am', 'Launch!'],
    ['Launch! tomorrow at 9 a.m.', 'tomorrow at 9 a.m.', 'Launch!'],
    ['Sale every day! tomorrow 9am', 'tomorrow 9am', 'Sale every day!'],
    ['Doors open at 6pm, schedule it for tomorrow 9am', 'tomorrow 9am', 'Doors open at 6pm'],
    ['Teaser on Tue. 9am', 'Tue. 9am', 'Teaser'],
    ['Join us on 12 March at 6pm!', '12 March at 6pm', 'Join us!'],
    ['tomorrow 9am: live with Bob', 'tomorrow 9am', 'live with Bob'],
    ['tomorrow 9am', 'tomorrow 9am', ''],
  ])('takes the time out of a command: %s', (text, words, rest) => {
    expect(find(text)).toEqual({ words, rest, isCertain: true })
  })

  it.each([
    ['Closed at 3. Thu 26 Nov 9am', 'Thu 26 Nov 9am'],
    ['Open until 3. Thu 26 Nov 9am', 'Thu 26 Nov 9am'],
    ['Show at 8pm, sat 10am', 'sat 10am'],
    ['Show sat 8pm, fri 9am', 'fri 9am'],
    ['Doors at 6, show at 8pm', '8pm'],
    ['Meet us monday, tomorrow 9am', 'tomorrow 9am'],
    ['every day at 9am, sat 10am', 'sat 10am'],
    ['Concert 28 Nov friday at 9', '28 Nov friday at 9'],
    ['9am: yoga, tomorrow 8am', 'tomorrow 8am'],
    ['tomorrow 9am: Party sat 8pm', 'tomorrow 9am'],
    ['sat 8pm: Party at ours! tomorrow 9am', 'tomorrow 9am'],
  ])('is not certain if two times could be meant: %s', (text, words) => {
    expect(find(text)).toMatchObject({ words, isCertain: false })
  })

  it.each([
    ['Our week\nfriday 8am', 'friday 8am', 'Our week'],
    ['Doors at 6pm\nmon 9am', 'mon 9am', 'Doors at 6pm'],
    ['Monday: soup is back, tomorrow 9am', 'tomorrow 9am', 'Monday: soup is back'],
    ['Back at 5pm sharp. tomorrow at 9', 'tomorrow at 9', 'Back at 5pm sharp.'],
    ['tomorrow 9am, Berlin time', 'tomorrow 9am, Berlin time', ''],
  ])('takes only the time out of a command: %s', (text, words, rest) => {
    expect(find(text)).toEqual({ words, rest, isCertain: true })
  })

  it.each([
    ['That was great. yesterday 9am', 'yesterday 9am'],
    ['Launch! monday and tuesday 9am', 'monday and tuesday 9am'],
    ['Launch! 9am ET | 6am PT', '9am ET | 6am PT'],
    ['Launch! from 9am - 5pm', 'from 9am - 5pm'],
    ['Tips every monday 9am', 'every monday 9am'],
    ['Launch! next week', 'next week'],
    ['Launch day! tomorrow at 3 Springfield time', 'tomorrow at 3 Springfield time'],
  ])('finds a time that cannot be used: %s', (text, words) => {
    expect(find(text)).toMatchObject({ words, isCertain: true })
  })

  it.each(['Happy friday', 'Sale ends today!', 'See you on saturday'])(
    'is not certain about a day in a sentence: %s',
    (text) => {
      expect(find(text)).toMatchObject({ isCertain: false })
    },
  )

  it.each([
    'Hello world',
    'Top 10 tips for may',
    'We are hiring',
    'Sun is shining',
    'Good morning',
    'Version 2.10',
    'See you next week',
    'In 5 words: best pizza',
    'Hello tomorrow 9am on TV',
    'See you tomorrow 9am on stage',
  ])('finds no time in a post without one: %s', (text) => {
    expect(find(text)).toBeUndefined()
  })

  it.each([
    ['friday 9am on X now', 'friday 9am', 'now'],
    ['friday 9am on X 10am', 'friday 9am', '10am'],
  ])('finds both times in a command without other text: %s', (text, first, second) => {
    const { when, otherWhen, content } = readPostCommand(text, inBerlin)
    expect([when?.words, otherWhen?.words, content]).toEqual([first, second, text])
  })

  it('does not read text of more than 4000 characters', () => {
    expect(find('x'.repeat(4001))).toBeUndefined()
    expect(find(`${'word '.repeat(700)}! tomorrow 9am`)?.words).toBe('tomorrow 9am')
  })
})
