import { Outlet } from 'react-router'
import { useNoStrayClicks } from '../../../browser/stray-clicks.ts'
import { Guard } from '../../accounts/parts/guard.tsx'
import { AdminNav } from '../parts/administration/admin-nav.tsx'
import { DemoBanner } from '../parts/administration/demo-banner.tsx'

/** Guards every page for administrators; what is said of the VIP guard holds here too. */
export default function RequireAdmin() {
  useNoStrayClicks()
  return (
    <div className="admin-frame">
      <Guard access="admin">
        <div className="admin-grid">
          <DemoBanner />
          <AdminNav />
          <div ref={takeMainFocus} className="admin-page" tabIndex={-1}>
            <Outlet />
          </div>
        </div>
      </Guard>
    </div>
  )
}

/** Takes the focus from `main` for a page of it: a keyboard that comes to a page does not go through the rail again. */
function takeMainFocus(page: HTMLElement | null): () => void {
  const main = page?.closest('main')
  const pass = (): void => page?.focus({ preventScroll: true })
  // The page may come after the focus.
  if (document.activeElement === main) pass()
  main?.addEventListener('focus', pass)
  return () => main?.removeEventListener('focus', pass)
}
