import { ThemeSwitch } from '../theme-switch.tsx'
import { useSignOut } from '../use-sign-out.ts'

/** The end of a member's mobile menu: leaving, and what the narrowest headers have no place for. */
export function MemberMenuEnd() {
  const signOut = useSignOut()
  return (
    <div className="menu-end">
      <button type="button" className="button" onClick={signOut}>
        Logout
      </button>
      <ThemeSwitch />
    </div>
  )
}
