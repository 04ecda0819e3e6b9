import type { ReactNode } from 'react'
import { useSession } from '../../../browser/session-store.ts'

/** A word that only administrators can use: what a page has not got yet, and where to look meanwhile. */
export function ForAdministrators({ children }: { children: ReactNode }) {
  const { access } = useSession()
  return access.isAdmin ? (
    <p className="notice notice-calm">
      <span>
        <strong>For administrators:</strong> {children}
      </span>
    </p>
  ) : null
}
