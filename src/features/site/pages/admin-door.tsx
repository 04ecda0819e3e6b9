import { Outlet } from 'react-router'
import { Guard } from '../../accounts/parts/guard.tsx'

/** The door of every page for administrators; what is said of the VIP door holds here too. */
export default function AdminDoor() {
  return (
    <Guard door="admin">
      <Outlet />
    </Guard>
  )
}
