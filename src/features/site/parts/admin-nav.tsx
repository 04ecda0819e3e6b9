import { NavLink } from 'react-router'
import { adminLinksIn } from '../admin-links.ts'
import './admin-nav.css'

/** The one navigation of all pages of the administration, above each of them. */
export function AdminNav() {
  return (
    <nav className="column admin-nav" aria-label="Administration">
      <ul>
        {adminLinksIn('nav').map(({ to, label }) => (
          <li key={to}>
            <NavLink to={to}>{label}</NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
