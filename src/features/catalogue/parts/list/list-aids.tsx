import type { ReactNode } from 'react'

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
  return (
    <>
      <RowPrefetch list={place} />
      {entries.count > 0 ? <KeyLegend isOn={hasShortcuts} onChange={setShortcuts} /> : null}
    </>
  )
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
