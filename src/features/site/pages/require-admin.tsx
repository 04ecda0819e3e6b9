import { Outlet } from 'react-router'
import { Guard } from '../../accounts/parts/guard.tsx'
import { AdminNav } from '../parts/administration/admin-nav.tsx'

/** Guards every page for administrators; what is said of the VIP guard holds here too. */
export default function RequireAdmin() {
  return (
    <Guard access="admin">
      <AdminNav />
      <Outlet />
    </Guard>
  )
}
