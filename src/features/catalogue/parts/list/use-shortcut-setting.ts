import { useEffect } from 'react'
import { remember, remembered } from '../../../../browser/remembered.ts'

const storageKey = 'shortcuts'

/** Has the browser remember whether single letters act as commands; users of speech input can turn that off (WCAG 2.1.4). */
export function useShortcutSetting(setOn: (isOn: boolean) => void): (isOn: boolean) => void {
  // Without storage the keys are on.
  useEffect(() => setOn(remembered(storageKey) !== 'off'), [setOn])
  return (next) => {
    setOn(next)
    remember(storageKey, next ? 'on' : 'off')
  }
}
