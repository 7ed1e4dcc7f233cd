import { Component, type ReactNode } from 'react'
import { Broken } from './broken'

/** Boundary is the last one: it catches what breaks outside every view. */
export class Boundary extends Component<{ children: ReactNode }, { error?: unknown; stack?: string | null | undefined }> {
  override state: { error?: unknown; stack?: string | null | undefined } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown, info: { componentStack?: string | null | undefined }) {
    this.setState({ error, stack: info.componentStack })
  }

  override render() {
    return 'error' in this.state ? <Broken error={this.state.error} info={{ componentStack: this.state.stack }} /> : this.props.children
  }
}
