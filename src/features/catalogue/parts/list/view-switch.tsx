import { remember, remembered } from '../../../../browser/remembered.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import './view-switch.css'

const storageKey = 'list-view'
const views = [
  { value: 'lines', label: 'Lines', icon: 'M2 4h12M2 8h12M2 12h12' },
  { value: 'covers', label: 'Covers', icon: 'M2.5 2h4v5h-4zM9.5 2h4v5h-4zM2.5 9.5h4v5h-4zM9.5 9.5h4v5h-4z' },
] as const
type View = (typeof views)[number]['value']

/** Shows a list as lines or as covers. The rows stay as they are: covers are put into them, and the style sheet does the rest. */
export function ViewSwitch({ place }: { place: RefObject<HTMLElement | null> }) {
  const [view, setView] = useState(readView)
  useEffect(() => {
    const root = place.current
    if (root === null || view === 'lines') return undefined
    return showCovers(root)
  }, [place, view])
  const group = useRef<HTMLDivElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    if (!wasPressed.current) return
    wasPressed.current = false
    const [pressed, other] = ['true', 'false'].map((is) =>
      group.current?.querySelector<HTMLElement>(`[aria-pressed="${is}"]`),
    )
    // On narrow screens the button that was pressed is gone.
    if (pressed?.checkVisibility() === false) other?.focus()
  })
  const choose = (next: View): void => {
    wasPressed.current = true
    setView(next)
    remember(storageKey, next)
  }
  return (
    <div ref={group} className="segments view-switch" role="group" aria-label="View">
      {views.map(({ value, label, icon }) => (
        <button key={value} type="button" aria-pressed={view === value} onClick={() => choose(value)}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d={icon} fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
          <span>{label}</span>
        </button>
      ))}
    </div>
  )
}

function readView(): View {
  return remembered(storageKey) === 'covers' ? 'covers' : 'lines'
}

/** @returns takes the covers out again */
function showCovers(root: HTMLElement): () => void {
  const away = new AbortController()
  const near = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting) continue
        near.unobserve(target)
        void showGuarded(target as HTMLImageElement, away.signal)
      }
    },
    { rootMargin: '50%' },
  )
  const fill = (): void => {
    for (const link of root.querySelectorAll<HTMLAnchorElement>('.entries li > a:not(:has(> img))')) {
      link.prepend(coverIn(link, near))
    }
  }
  root.dataset['view'] = 'covers'
  fill()
  const rows = new MutationObserver(fill)
  rows.observe(root, { childList: true, subtree: true })
  return () => {
    away.abort()
    rows.disconnect()
    near.disconnect()
    delete root.dataset['view']
    for (const cover of root.querySelectorAll('.entries li > a > img')) cover.remove()
  }
}

/** The name stands beside it: the cover is no text of its own. */
function coverIn({ pathname }: HTMLAnchorElement, near: IntersectionObserver): HTMLImageElement {
  const cover = document.createElement('img')
  cover.alt = ''
  cover.width = 320
  cover.height = 460
  cover.decoding = 'async'
  const address = `/covers/${pathname.split('/').at(-1) ?? ''}`
  if (pathname.startsWith('/vip')) {
    cover.dataset['cover'] = address
    near.observe(cover)
  } else {
    cover.loading = 'lazy'
    cover.src = address
  }
  return cover
}

/** A cover that only the session may see. Its place stays empty where it does not come. */
async function showGuarded(cover: HTMLImageElement, signal: AbortSignal): Promise<void> {
  const data = await import('../../../../browser/api-files.ts')
    .then(({ readPicture }) => readPicture(cover.dataset['cover'] ?? '', signal))
    .catch(() => undefined)
  if (data !== undefined) cover.src = data
}
