import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MrkdwnNode, parseMrkdwn } from '../../web/text/parse-mrkdwn.ts'

const text = (text: string): MrkdwnNode => ({ type: 'text', text })

describe('the mrkdwn parser', () => {
  it.each<[string, MrkdwnNode[]]>([
    ['*bold*', [{ type: 'bold', children: [text('bold')] }]],
    [
      '_a_ and ~b~',
      [{ type: 'italic', children: [text('a')] }, text(' and '), { type: 'strike', children: [text('b')] }],
    ],
    ['*_both_*', [{ type: 'bold', children: [{ type: 'italic', children: [text('both')] }] }]],
    // A word joiner beside a sign makes it literal.
    ['\u2060*\u2060Big\u2060*\u2060 sale', [text('\u2060*\u2060Big\u2060*\u2060 sale')]],
    ['\u2060`\u2060a\u2060`\u2060', [text('\u2060`\u2060a\u2060`\u2060')]],
    ['`*not bold*`', [{ type: 'code', children: [text('*not bold*')] }]],
    ['```\na *b*\nc\n```', [{ type: 'code_block', children: [text('a *b*\nc')] }]],
    ['&lt;b&gt; &amp;amp;', [text('<b> &amp;')]],
    [
      '<@U1> in <#C1|launch>',
      [{ type: 'user', id: 'U1' }, text(' in '), { type: 'channel', id: 'C1', label: 'launch' }],
    ],
    [
      '<!here> <!subteam^S1|@team>',
      [{ type: 'broadcast', text: '@here' }, text(' '), { type: 'group', id: 'S1', label: '@team' }],
    ],
    [
      '<https://a.example/?x=1&amp;y=2|a &amp; b>',
      [{ type: 'link', url: 'https://a.example/?x=1&y=2', label: 'a & b' }],
    ],
    [
      '*<https://a.example|a>*',
      [{ type: 'bold', children: [{ type: 'link', url: 'https://a.example', label: 'a' }] }],
    ],
    [
      '<!date^1795000000^{date_short} at {time}^https://a.example|soon>',
      [
        {
          type: 'date',
          seconds: 1_795_000_000,
          format: '{date_short} at {time}',
          url: 'https://a.example',
          fallback: 'soon',
        },
      ],
    ],
    [':tada: at 10:30:15', [{ type: 'emoji', name: 'tada' }, text(' at 10:30:15')]],
    [
      ':wave::skin-tone-3::x: :party-parrot: Sale:50:+1:',
      [
        { type: 'emoji', name: 'wave::skin-tone-3' },
        { type: 'emoji', name: 'x' },
        text(' :party-parrot: Sale:50'),
        { type: 'emoji', name: '+1' },
      ],
    ],
    ['`:tada:`', [{ type: 'code', children: [text(':tada:')] }]],
    ['https://a.example/:tada:/', [{ type: 'link', url: 'https://a.example/:tada:/' }]],
    [
      'before\n&gt; one\n&gt; *two*\nafter',
      [
        text('before\n'),
        { type: 'quote', children: [text('one\n'), { type: 'bold', children: [text('two')] }] },
        text('after'),
      ],
    ],
    ['> not escaped', [{ type: 'quote', children: [text('not escaped')] }]],
  ])('parses %j', (mrkdwn, nodes) => {
    expect(parseMrkdwn(mrkdwn)).toEqual(nodes)
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
  ])('leaves %j as plain text', (mrkdwn) => {
    expect(parseMrkdwn(mrkdwn)).toEqual([text(mrkdwn)])
  })

  it('keeps text without markup unchanged and never fails on markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (mrkdwn) => {
        const plain = mrkdwn.replace(/[*_~`<>:&|\r]/g, '')
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

  it('parses long text of nothing but markup signs without hanging', () => {
    for (const sign of ['*', '_a', '<', '`', '> ', ':a', '*a '])
      expect(Array.isArray(parseMrkdwn(sign.repeat(20_000)))).toBe(true)
  })
})
