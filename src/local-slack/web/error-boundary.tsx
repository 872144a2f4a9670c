import { Component, type ReactNode } from 'react'

type Props = { children: ReactNode }

/** Shows a note in place of content that failed to render, so that the rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, { hasError: boolean }> {
  override state = { hasError: false }

  static getDerivedStateFromError() {
    return { hasError: true }
  }

  override render(): ReactNode {
    if (this.state.hasError)
      return <p className="empty">This content couldn't be shown. See the browser console for details.</p>
    return this.props.children
  }
}
