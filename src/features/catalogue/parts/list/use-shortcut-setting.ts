import { useEffect } from 'react'

const storageKey = 'shortcuts'

/** Has the browser remember whether single letters act as commands; users of speech input can turn that off (WCAG 2.1.4). */
export function useShortcutSetting(setOn: (isOn: boolean) => void): (isOn: boolean) => void {
  useEffect(() => {
    try {
      setOn(localStorage.getItem(storageKey) !== 'off')
    } catch {
      // Without storage the keys are on.
    }
  }, [setOn])
  return (next) => {
    setOn(next)
    try {
      localStorage.setItem(storageKey, next ? 'on' : 'off')
    } catch {
      // It holds for this page.
    }
  }
}
