import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMrkdwn, type Word } from '../../web/words/parse-mrkdwn.ts'

const text = (text: string): Word => ({ is: 'text', text })

describe("Slack's markup", () => {
  it.each<[string, Word[]]>([
    ['*bold*', [{ is: 'bold', of: [text('bold')] }]],
    ['_a_ and ~b~', [{ is: 'italic', of: [text('a')] }, text(' and '), { is: 'strike', of: [text('b')] }]],
    ['*_both_*', [{ is: 'bold', of: [{ is: 'italic', of: [text('both')] }] }]],
    ['`*not bold*`', [{ is: 'code', of: [text('*not bold*')] }]],
    ['```\na *b*\nc\n```', [{ is: 'block', of: [text('a *b*\nc')] }]],
    ['&lt;b&gt; &amp;amp;', [text('<b> &amp;')]],
    [
      '<@U1> in <#C1|launch>',
      [{ is: 'user', id: 'U1' }, text(' in '), { is: 'channel', id: 'C1', label: 'launch' }],
    ],
    [
      '<!here> <!subteam^S1|@team>',
      [{ is: 'broadcast', text: '@here' }, text(' '), { is: 'group', id: 'S1', label: '@team' }],
    ],
    [
      '<https://a.example/?x=1&amp;y=2|a &amp; b>',
      [{ is: 'link', url: 'https://a.example/?x=1&y=2', label: 'a & b' }],
    ],
    ['*<https://a.example|a>*', [{ is: 'bold', of: [{ is: 'link', url: 'https://a.example', label: 'a' }] }]],
    [
      '<!date^1795000000^{date_short} at {time}^https://a.example|soon>',
      [
        {
          is: 'date',
          seconds: 1_795_000_000,
          format: '{date_short} at {time}',
          url: 'https://a.example',
          fallback: 'soon',
        },
      ],
    ],
    [
      ':tada: at 10:30:15',
      [{ is: 'emoji', name: 'tada' }, text(' at 10'), { is: 'emoji', name: '30' }, text('15')],
    ],
    [
      'before\n&gt; one\n&gt; *two*\nafter',
      [
        text('before\n'),
        { is: 'quote', of: [text('one\n'), { is: 'bold', of: [text('two')] }] },
        text('after'),
      ],
    ],
    ['> a bot need not escape it', [{ is: 'quote', of: [text('a bot need not escape it')] }]],
  ])('reads %j', (written, words) => {
    expect(parseMrkdwn(written)).toEqual(words)
  })

  it.each([
    '2 * 3 * 4',
    'a*b*c',
    '* a *',
    'snake_case_name',
    '*open',
    '*over\ntwo lines*',
    '< >',
    '**',
    '``',
    '&gt',
    ':not an emoji:',
  ])('leaves %j as it is', (written) => {
    expect(parseMrkdwn(written)).toEqual([text(written)])
  })

  it('loses no letter of a text that has no signs, and never fails on one that has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (written) => {
        const plain = written.replace(/[*_~`<>:&|\r]/g, '')
        expect(parseMrkdwn(plain)).toEqual(plain ? [text(plain)] : [])
      }),
    )
    const signs = fc.array(
      fc.constantFrom('*', '_', '~', '`', '<', '>', '|', '&gt;', '\n', '!', '@U1', ':', 'a', ' ', '^'),
    )
    fc.assert(
      fc.property(signs, (parts) => {
        expect(Array.isArray(parseMrkdwn(parts.join('')))).toBe(true)
      }),
    )
  })

  it('takes no longer for a long text of nothing but signs', () => {
    for (const sign of ['*', '_a', '<', '`', '> ', ':a', '*a '])
      expect(Array.isArray(parseMrkdwn(sign.repeat(20_000)))).toBe(true)
  })
})
