/** The icons are drawn inline, so the page needs no icon font. */
const PATHS = {
  lock: 'M5 8V6a3 3 0 0 1 6 0v2m-7 0h8v6H4z',
  hash: 'M6 2 4.5 14M11.5 2 10 14M2.5 5.5h11M2 10.5h11',
  shared: 'M6 3.5 10.5 8 6 12.5 1.5 8zm4 0L14.5 8 10 12.5',
  plus: 'M8 3v10M3 8h10',
  bolt: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  smile: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.5 9.5a3 3 0 0 0 5 0M6 6v.5M10 6v.5',
  reply: 'M2.5 3h11v7.5h-6L4 13.5v-3H2.5z',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'm4 4 8 8m0-8-8 8',
  down: 'm4 6 4 4 4-4',
} as const

export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
