import type { DataTableBlock, TableBlock } from '@slack/types'
import { RichText } from '../words/rich-text.tsx'

type Cell = TableBlock['rows'][number][number]

export function Table({ block }: { block: TableBlock }) {
  const settings = block.column_settings ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table" tabIndex={0} aria-label="Table">
      <table>
        <tbody>
          {block.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name, and do not move
            <tr key={index}>
              {row.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name, and do not move
                  key={column}
                  style={{
                    textAlign: settings[column]?.align ?? 'left',
                    whiteSpace: settings[column]?.is_wrapped ? 'normal' : 'nowrap',
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
  const [head = [], ...rows] = block.rows
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table" tabIndex={0} aria-label={block.caption}>
      <table>
        <caption>{block.caption}</caption>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name, and do not move
              <th key={index} scope="col">
                <CellText cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name, and do not move
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name, and do not move
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
