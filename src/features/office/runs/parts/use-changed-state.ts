import { type RefObject, useEffect, useRef } from 'react'
import { refetchAnswers } from '../../../../browser/queries.ts'

/**
 * Has the list of runs asked for anew when the state of this one changes. The buttons of the state before are gone then: a
 * focus that went with them goes to the heading.
 * @param list its path in the API
 * @returns to be the `ref` of the heading, which takes the focus
 */
export function useChangedState(list: string, state: string | undefined): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== undefined && before.current !== state) {
      refetchAnswers(list)
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    }
    before.current = state
  }, [list, state])
  return heading
}
