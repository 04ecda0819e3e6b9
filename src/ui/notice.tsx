import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import './fields.css'

/**
 * How something went: `done` well, `failed`, or worth knowing. Put where it can appear in an `Announced` place, so that
 * it is read out.
 */
export function Notice({ tone, children }: { tone: 'done' | 'failed' | 'calm'; children: ReactNode }) {
  return (
    <div className={`notice notice-told notice-${tone}`}>
      {tone === 'done' ? <Icon name="check" /> : null}
      <div className="notice-words">{children}</div>
    </div>
  )
}

/** The place of notices. It is always there: only so is what appears in it read out. */
export function Announced({ children }: { children: ReactNode }) {
  return (
    <div className="announced" role="status">
      {children}
    </div>
  )
}
