import { describe, expect, it } from 'vitest'
import { dataTable, rawText, richText, row, table } from './samples.ts'
import { judged, passed, refused, said } from './validate.ts'

// https://docs.slack.dev/reference/block-kit/blocks/table-block
// https://docs.slack.dev/reference/block-kit/blocks/data-table-block

describe('a table', () => {
  it.each(['message', 'home'] as const)('has up to 20 columns (%s)', (surface) => {
    expect(judged(surface, [table(row(20), row(20))])).toEqual(passed)
    expect(judged(surface, [table(row(20), row(21))])).toMatchObject({
      messages: expect.arrayContaining([
        expect.stringMatching(/^no more than 20 items allowed .*\/0\/rows\/1\]$/),
      ]),
    })
  })

  it('has a rich text wherever it has a cell', () => {
    expect(judged('message', [table([richText, rawText()], [rawText(), richText])])).toEqual(passed)
  })
})

describe('a data table', () => {
  it('has up to 20 columns', () => {
    expect(judged('message', [dataTable(row(20), row(20))])).toEqual(passed)
    expect(judged('message', [dataTable(row(21), row(21))])).toEqual(
      refused('message', [
        said('no more than 20 items allowed', '/blocks/0/rows/0'),
        said('no more than 20 items allowed', '/blocks/0/rows/1'),
      ]),
    )
  })

  it('has a column', () => {
    expect(judged('message', [dataTable(row(1), row(1))])).toEqual(passed)
    expect(judged('message', [dataTable([], [])])).toEqual(
      refused('message', [
        said('must provide at least 1 items', '/blocks/0/rows/0'),
        said('must provide at least 1 items', '/blocks/0/rows/1'),
      ]),
    )
  })

  it('has them in one cell, if need be', () => {
    expect(judged('home', [dataTable(row(1), [rawText('x'.repeat(15_000))])])).toEqual(passed)
  })
})
