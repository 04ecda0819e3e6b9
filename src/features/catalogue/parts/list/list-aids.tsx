import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useState } from 'react'
import { workOffline } from '../../../../browser/kept/work-offline.ts'
import { useSession } from '../../../../browser/session-store.ts'
import { isGuestBack, signOfGuest } from '../memory/guest-visit.ts'
import type { Entries } from './by-day.ts'
import { RowPrefetch } from './row-prefetch.tsx'
import { useListKeys } from './use-list-keys.ts'
import { type ReadList, useReadingPlace } from './use-reading-place.ts'
import { useShortcutSetting } from './use-shortcut-setting.ts'

export { SaveSearch } from '../memory/save-search.tsx'
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
  const [toSave, setToSave] = useState<ToSave>()
  const save = useCallback(
    (path: string) => setToSave((before) => ({ slug: path.split('/').at(-1) ?? '', count: (before?.count ?? 0) + 1 })),
    [],
  )
  const setting = useShortcutSetting(setShortcuts)
  useListKeys(place, hasShortcuts, save)
  useReadingPlace(list)
  useWholeNames(place)
  useEffect(workOffline, [])
  return (
    <>
      <RowPrefetch list={place} />
      <ReadersPart {...list} toSave={toSave} />
      {entries.count > 0 ? <KeyLegend isOn={hasShortcuts} onChange={setting} /> : null}
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
        name.parentElement.title = name.textContent.replaceAll('\t', ' ')
    }
    root?.addEventListener('pointerover', showWhole)
    return () => root?.removeEventListener('pointerover', showWhole)
  }, [place])
}

/** A row for which the key was pressed, and how often that was. */
type ToSave = { slug: string; count: number } | undefined

const Reading = lazy(() =>
  import('../memory/reading.tsx')
    .then((loaded) => ({ default: loaded.Reading }))
    // The list is there without it. Behind `then` also where a style sheet is lost.
    .catch(() => ({ default: () => null })),
)

/** The part that concerns this reader alone: loaded for members, for guests who come back, and for whoever points at a row. */
function ReadersPart({
  toSave,
  ...list
}: {
  place: RefObject<HTMLElement | null>
  entries: Entries
  shelf: ReadList['shelf']
  filters: ReadList['filters']
  toSave: ToSave
}) {
  const isMember = useSession().session !== undefined
  const [isBack] = useState(isGuestBack)
  const [isPointed, setPointed] = useState(false)
  const isNeeded = isMember || isBack || isPointed || toSave !== undefined
  useEffect(() => {
    if (!isNeeded) signOfGuest()
  }, [isNeeded])
  const { place } = list
  useEffect(() => {
    const root = place.current
    const onTurn = (): void => setPointed(true)
    root?.addEventListener('pointerover', onTurn, { once: true })
    root?.addEventListener('focusin', onTurn, { once: true })
    return () => {
      root?.removeEventListener('pointerover', onTurn)
      root?.removeEventListener('focusin', onTurn)
    }
  }, [place])
  return isNeeded ? (
    <Suspense>
      <Reading {...list} isMember={isMember} toSave={toSave} />
    </Suspense>
  ) : null
}

function KeyLegend({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <>
      {isOn ? (
        <>
          <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open <kbd>s</kbd> save
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
