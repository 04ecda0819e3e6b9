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
        <DemoBanner />
        <AdminNav />
        <div className="admin-page">
          <Outlet />
        </div>
      </Guard>
    </div>
  )
}
