import type { DataTableBlock, TableBlock } from '@slack/types'
import type { CSSProperties, ReactNode } from 'react'
import { RichText } from '../text/rich-text.tsx'

type Props = {
  caption?: string
  header?: ReactNode[]
  rows: ReactNode[][]
  columnStyles?: CSSProperties[]
}

export function Table({ caption, header, rows, columnStyles = [] }: Props) {
  const renderCells = (cells: ReactNode[], Tag: 'th' | 'td') =>
    cells.map((cell, column) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: table cells have no ID and never move
      <Tag key={column} style={columnStyles[column]} scope={Tag === 'th' ? 'col' : undefined}>
        {cell}
      </Tag>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll a region by focusing it
    <section className="table" tabIndex={0} aria-label={caption ?? 'Table'}>
      <table>
        {caption && <caption>{caption}</caption>}
        {header && (
          <thead>
            <tr>{renderCells(header, 'th')}</tr>
          </thead>
        )}
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: table rows have no ID and never move
            <tr key={row}>{renderCells(cells, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type Cell = TableBlock['rows'][number][number] | DataTableBlock['rows'][number][number]

const renderCell = (cell: Cell) => (cell.type === 'rich_text' ? <RichText block={cell} /> : cell.text)

export function TableBlockView({ block }: { block: TableBlock }) {
  const columnStyles = (block.column_settings ?? []).map(
    (settings): CSSProperties => ({
      textAlign: settings?.align ?? 'left',
      whiteSpace: settings?.is_wrapped ? 'normal' : 'nowrap',
    }),
  )
  return <Table rows={block.rows.map((cells) => cells.map(renderCell))} columnStyles={columnStyles} />
}

export function DataTable({ block }: { block: DataTableBlock }) {
  const [header = [], ...rows] = block.rows.map((cells) => cells.map(renderCell))
  return <Table caption={block.caption} header={header} rows={rows} />
}
