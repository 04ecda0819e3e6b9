import { type ReactNode, useEffect } from 'react'

import { workOffline } from '../../../../browser/kept/work-offline.ts'
import { RowPrefetch } from './row-prefetch.tsx'
import { useListKeys } from './use-list-keys.ts'
import { type ReadList, useReadingPlace } from './use-reading-place.ts'

export { requestPage } from './request-page.ts'
export { TimeRail } from './time-rail.tsx'
export { ValueMenus } from './value-menus.tsx'
export { ViewSwitch } from './view-switch.tsx'

/**
 * All that helps to read a list, and is not needed to see it: it is loaded once the list stands there, and shows which keys
 * there are.
 */
export function ListAids({
  shortcuts: [hasShortcuts, setShortcuts],
  ...list
}: ReadList & {
  shortcuts: readonly [isOn: boolean, set: (isOn: boolean) => void]
}): ReactNode {
  const { place, entries } = list
  useListKeys(place, hasShortcuts)
  useReadingPlace(list)
  useWholeNames(place)
  useEffect(workOffline, [])
  return (
    <>
      <RowPrefetch list={place} />
      {entries.count > 0 ? <KeyLegend isOn={hasShortcuts} onChange={setShortcuts} /> : null}
    </>
  )
}

/** A name that has been cut stands whole in the title of its link, once it is pointed at. */
function useWholeNames(place: ReadList['place']): void {
  useEffect(() => {
    const root = place.current
    const showWhole = ({ target }: Event): void => {
      const name = (target as Element).closest('.entries a')?.querySelector<HTMLElement>(':scope > span')
      const head = name?.querySelector('i')
      if (name?.parentElement && head && head.scrollHeight > head.clientHeight)
        name.parentElement.title = name.textContent
    }
    root?.addEventListener('pointerover', showWhole)
    return () => root?.removeEventListener('pointerover', showWhole)
  }, [place])
}

/** The single-key commands, and how to turn them off. */
function KeyLegend({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <>
      {isOn ? (
        <>
          <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open
        </>
      ) : (
        <>Single-key shortcuts are off.</>
      )}
      <button type="button" className="text-link" onClick={() => onChange(!isOn)}>
        {isOn ? 'Turn off' : 'Turn on'}
        <span className="sr-only"> single-key shortcuts</span>
      </button>
    </>
  )
}
