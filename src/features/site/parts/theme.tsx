import { remember } from '../../../browser/remembered.ts'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const storageKey = 'theme'
const lightClass = 'light-mode'

/**
 * Stands first in the body and runs before anything is painted, so that nobody sees the wrong theme. The server writes
 * every page light, which is the default and all there is without a script.
 */
export const themeScript = `try{var t=localStorage.getItem('${storageKey}');if(t!=='light'&&t!=='dark')localStorage.setItem('${storageKey}',t='light');document.body.classList.toggle('${lightClass}',t==='light')}catch{}`

interface ThemeAccess {
  theme: Theme
  toggle: () => void
}

const ThemeContext = createContext<ThemeAccess | undefined>(undefined)

const listeners = new Set<() => void>()

function apply(theme: Theme): void {
  document.body.classList.toggle(lightClass, theme === 'light')
  const color = getComputedStyle(document.body).backgroundColor
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', color)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function current(): Theme {
  return document.body.classList.contains(lightClass) ? 'light' : 'dark'
}

/** Keeps the body's class, which is the truth while a page lives, equal to what the visitor has chosen, in every tab. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const theme = useSyncExternalStore(subscribe, current, () => 'light' as const)

  useEffect(() => {
    const onStorage = (event: StorageEvent): void => {
      if (event.key === storageKey) apply(event.newValue === 'dark' ? 'dark' : 'light')
    }
    apply(current())
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [])

  const toggle = useCallback(() => {
    const next = current() === 'light' ? 'dark' : 'light'
    remember(storageKey, next)
    apply(next)
  }, [])

  return <ThemeContext value={useMemo(() => ({ theme, toggle }), [theme, toggle])}>{children}</ThemeContext>
}

export function useTheme(): ThemeAccess {
  const access = use(ThemeContext)
  if (access === undefined) throw new Error('useTheme must be used within a ThemeProvider')
  return access
}
