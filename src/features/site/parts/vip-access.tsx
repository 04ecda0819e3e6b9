import { Link } from 'react-router'

/** `replace` within the mobile menu, whose entry of the history the page takes. */
export function VipAccess({ to, replace = false }: { to: '/plans' | '/vip'; replace?: boolean }) {
  return (
    <Link className="button button-tint accent-vip vip-access" to={to} replace={replace}>
      VIP ACCESS
    </Link>
  )
}
