import type { DataTableBlock, TableBlock } from '@slack/types'
import { RichText } from '../text/rich-text.tsx'

type Cell = TableBlock['rows'][number][number]

export function Table({ block }: { block: TableBlock }) {
  const columns = block.column_settings ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll a region by focusing it
    <section className="table" tabIndex={0} aria-label="Table">
      <table>
        <tbody>
          {block.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: table rows have no ID and never move
            <tr key={index}>
              {row.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: table cells have no ID and never move
                  key={column}
                  style={{
                    textAlign: columns[column]?.align ?? 'left',
                    whiteSpace: columns[column]?.is_wrapped ? 'normal' : 'nowrap',
                  }}
                >
                  <CellText cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function DataTable({ block }: { block: DataTableBlock }) {
  const [headerRow = [], ...rows] = block.rows
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll a region by focusing it
    <section className="table" tabIndex={0} aria-label={block.caption}>
      <table>
        <caption>{block.caption}</caption>
        <thead>
          <tr>
            {headerRow.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: table cells have no ID and never move
              <th key={index} scope="col">
                <CellText cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: table rows have no ID and never move
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: table cells have no ID and never move
                <td key={column}>
                  <CellText cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const CellText = ({ cell }: { cell: Cell | DataTableBlock['rows'][number][number] }) =>
  cell.type === 'rich_text' ? <RichText block={cell} /> : cell.text
