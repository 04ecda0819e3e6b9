import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** A word or two that says what something is, in the accent in force. */
export function Badge({ icon, children }: { icon?: IconName; children: ReactNode }) {
  return (
    <span className="badge">
      {icon === undefined ? null : <Icon name={icon} size={16} />}
      {children}
    </span>
  )
}
