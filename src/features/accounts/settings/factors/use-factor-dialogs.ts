import { type ComponentType, type ComponentProps, useCallback, useState } from 'react'
import type { FactorDialog } from './factor-dialogs.tsx'

type Loaded = ComponentType<ComponentProps<typeof FactorDialog>>

/** The dialogs, with the libraries behind them, come when the first of them is opened. */
export function useFactorDialogs(): { Dialog: Loaded | undefined; load: () => Promise<boolean> } {
  const [loaded, setLoaded] = useState<{ Dialog: Loaded }>()
  const load = useCallback(async (): Promise<boolean> => {
    // Without a connection it does not come; its caller says so.
    const dialogs = await import('./factor-dialogs.tsx').catch(() => undefined)
    if (dialogs === undefined) return false
    setLoaded({ Dialog: dialogs.FactorDialog })
    return true
  }, [])
  return { Dialog: loaded?.Dialog, load }
}
