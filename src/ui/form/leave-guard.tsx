import { useBeforeUnload, useBlocker } from 'react-router'
import { DiscardQuestion } from '../dialog.tsx'

/** Asks before a page is left on which something was typed that is not saved. */
export function LeaveGuard({ isOn }: { isOn: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isOn && nextLocation.pathname !== currentLocation.pathname,
  )
  useBeforeUnload((event) => {
    if (isOn) event.preventDefault()
  })
  return blocker.state === 'blocked' ? (
    <DiscardQuestion onStay={() => blocker.reset()} onDiscard={() => blocker.proceed()} />
  ) : null
}
