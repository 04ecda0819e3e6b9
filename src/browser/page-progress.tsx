import { useEffect, useSyncExternalStore } from 'react'
import { createPath, useLocation, useNavigate, useNavigation, useRevalidator } from 'react-router'
import { readLoss, setLoss, subscribeLoss } from './lost-page.ts'
import { useIsOnline } from '../ui/use-is-online.ts'

/** Says that a page is on its way; and when it cannot come, that the open one stays, with a way to try again. */
export function PageProgress() {
  const { state, location: wanted } = useNavigation()
  const { state: revalidation, revalidate } = useRevalidator()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const isOnline = useIsOnline()
  const loss = useSyncExternalStore(subscribeLoss, readLoss, () => undefined)
  const isLost = loss === 'away' && (wanted !== undefined || revalidation === 'loading')

  useEffect(() => {
    // The site was exchanged for a newer one since this page was loaded: the wanted page brings its own scripts.
    if (loss === 'gone' && wanted !== undefined) window.location.assign(createPath(wanted))
  }, [loss, wanted])

  const tryAgain = (): void => {
    if (wanted === undefined) {
      setLoss(undefined)
      void revalidate()
      return
    }
    const { pathname, search, hash } = window.location
    // On the way back the address has changed already.
    void navigate(wanted, { state: wanted.state, replace: createPath(wanted) === pathname + search + hash })
  }

  return (
    <>
      {state === 'loading' && !isLost && wanted.pathname !== pathname ? (
        <div className="progress" aria-hidden="true" />
      ) : null}
      <div className="lost-page" role="status">
        {isLost ? (
          <div className="notice notice-calm">
            <span>{`${isOnline ? 'The page could not be loaded. This one' : 'You are offline. This page'} stays as it is.`}</span>
            <button type="button" className="button" onClick={tryAgain}>
              Try again
            </button>
          </div>
        ) : null}
      </div>
    </>
  )
}
