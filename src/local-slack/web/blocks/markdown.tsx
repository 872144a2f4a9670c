import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { SafeLink } from '../text/inline-elements.tsx'
import { unescapeText } from '../text/parse-mrkdwn.ts'
import { Table } from './table.tsx'

/** A markdown block. Its text comes from the app, so HTML in it is shown as text and never rendered. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="rich-text">
      <MarkdownTokens tokens={lexer(text)} />
    </div>
  )
}

function MarkdownTokens({ tokens = [] }: { tokens?: Token[] | undefined }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text have no ID and never move
  return tokens.map((token, index) => <Fragment key={index}>{renderToken(token as MarkedToken)}</Fragment>)
}

function renderToken(token: MarkedToken): ReactNode {
  const children = 'tokens' in token ? <MarkdownTokens tokens={token.tokens} /> : null
  switch (token.type) {
    case 'paragraph':
      return <p>{children}</p>
    case 'heading':
      return <p className="markdown-heading">{children}</p>
    case 'blockquote':
      return <blockquote>{children}</blockquote>
    case 'list':
      return <MarkdownList list={token} />
    case 'code':
      return <pre>{token.text}</pre>
    case 'table':
      return <MarkdownTable table={token} />
    case 'hr':
      return <hr />
    case 'strong':
      return <strong>{children}</strong>
    case 'em':
      return <em>{children}</em>
    case 'del':
      return <s>{children}</s>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <SafeLink url={token.href}>{children}</SafeLink>
    case 'image':
      return <SafeLink url={token.href}>{token.text || token.href}</SafeLink>
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'text':
      return token.tokens ? children : unescapeText(token.text)
    case 'escape':
    case 'html':
      return token.text
    default:
      return null
  }
}

function MarkdownList({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have no ID and never move
    <li key={index}>
      <MarkdownTokens tokens={item.tokens} />
    </li>
  ))
  return list.ordered ? <ol start={Number(list.start)}>{items}</ol> : <ul>{items}</ul>
}

function MarkdownTable({ table }: { table: Tokens.Table }) {
  const renderCell = ({ tokens }: Tokens.TableCell) => <MarkdownTokens tokens={tokens} />
  return (
    <Table
      header={table.header.map(renderCell)}
      rows={table.rows.map((cells) => cells.map(renderCell))}
      columnStyles={table.align.map((align) => ({ textAlign: align ?? 'left' }))}
    />
  )
}
