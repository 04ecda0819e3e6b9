import { Outlet } from 'react-router'
import { Guard } from '../../accounts/parts/guard.tsx'

/**
 * Guards every VIP page. The server renders what lies behind it as a shell, the same for everybody: a loader in
 * there may know nothing that a visitor may not.
 */
export default function RequireVip() {
  return (
    <Guard access="vip">
      <Outlet />
    </Guard>
  )
}
