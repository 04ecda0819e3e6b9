import { useEffect, useState } from 'react'

const storageKey = 'shortcuts'

/** Whether single letters act as commands; users of speech input can turn that off (WCAG 2.1.4). */
export function useShortcutSetting(): [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(true)
  useEffect(() => {
    try {
      setOn(localStorage.getItem(storageKey) !== 'off')
    } catch {
      // Without storage the keys are on.
    }
  }, [])
  const set = (next: boolean): void => {
    setOn(next)
    try {
      localStorage.setItem(storageKey, next ? 'on' : 'off')
    } catch {
      // It holds for this page.
    }
  }
  return [isOn, set]
}
