import { describe, expect, it } from 'vitest'
import { dataTable, rawText, richText, row, table } from './samples.ts'
import { invalid, messageAt, VALID, validate } from './validate.ts'

// https://docs.slack.dev/reference/block-kit/blocks/table-block
// https://docs.slack.dev/reference/block-kit/blocks/data-table-block

describe('a table', () => {
  it('allows up to 20 columns', () => {
    expect(validate('message', [table(row(20), row(20))])).toEqual(VALID)
    expect(validate('message', [table(row(20), row(21))])).toMatchObject({
      messages: expect.arrayContaining([
        expect.stringMatching(/^no more than 20 items allowed .*\/0\/rows\/1\]$/),
      ]),
    })
  })

  it('allows rich text in every cell', () => {
    expect(validate('message', [table([richText, rawText()], [rawText(), richText])])).toEqual(VALID)
  })
})

describe('a data table', () => {
  it('allows up to 20 columns', () => {
    expect(validate('message', [dataTable(row(20), row(20))])).toEqual(VALID)
    expect(validate('message', [dataTable(row(21), row(21))])).toEqual(
      invalid('message', [
        messageAt('no more than 20 items allowed', '/blocks/0/rows/0'),
        messageAt('no more than 20 items allowed', '/blocks/0/rows/1'),
      ]),
    )
  })

  it('needs at least one column', () => {
    expect(validate('message', [dataTable(row(1), row(1))])).toEqual(VALID)
    expect(validate('message', [dataTable([], [])])).toEqual(
      invalid('message', [
        messageAt('must provide at least 1 items', '/blocks/0/rows/0'),
        messageAt('must provide at least 1 items', '/blocks/0/rows/1'),
      ]),
    )
  })

  it('counts all characters, even in one cell', () => {
    expect(validate('home', [dataTable(row(1), [rawText('x'.repeat(15_000))])])).toEqual(VALID)
  })
})
