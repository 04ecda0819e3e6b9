import { useLocation, useNavigate } from 'react-router'
import { signOut } from '../../accounts/browser/sign-out.ts'
import type { MenuState } from './header/mobile-menu.tsx'

/** Goes home and ends the session. From the mobile menu, home takes the menu's entry of the history. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  const state = useLocation().state as MenuState | null
  return () => {
    void navigate('/', { replace: state?.menu === true })
    void signOut()
  }
}
