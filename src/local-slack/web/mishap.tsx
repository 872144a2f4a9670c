import { Component, type ReactNode } from 'react'

type Props = { children: ReactNode }

/** Keeps what cannot be drawn from taking the page along. */
export class Mishap extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render(): ReactNode {
    if (this.state.failed) return <p className="empty">This cannot be shown. The console says why.</p>
    return this.props.children
  }
}
