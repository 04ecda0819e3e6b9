import { type ComponentType, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../../../browser/session-store.ts'
import './entry-tools.css'

const loadActions = () => import('./entry-actions.ts')

/** Beside downloading it, a reader keeps an entry, and passes on its address. Both are loaded when they are first needed. */
export function EntryTools({ slug, name }: { slug: string; name: string }) {
  const isMember = useSession().session !== undefined
  const navigate = useNavigate()
  const [isSaved, setSaved] = useState(false)
  const [said, say] = useState('')
  const [Panel, setPanel] = useState<ComponentType<{ name: string }>>()

  useEffect(() => {
    if (!isMember) return undefined
    const gone = new AbortController()
    // Without the script it is loaded when a button is pressed.
    loadActions().then(
      ({ watchSaved }) => watchSaved(slug, { setSaved, say, signal: gone.signal }),
      () => undefined,
    )
    return () => gone.abort()
  }, [isMember, slug])

  const act = (work: (actions: Awaited<ReturnType<typeof loadActions>>) => Promise<void>) => () =>
    void loadActions()
      .then(work)
      .catch(() => say('This could not be loaded. Check your connection and try again.'))
  return (
    <div className="entry-tools with-script">
      <div>
        <button
          type="button"
          className="button"
          aria-pressed={isSaved}
          onClick={act(async ({ pressSave }) => {
            const done = await pressSave(slug, { isMember, navigate })
            if (done === undefined) return
            setSaved(done.isSaved)
            say(done.said)
          })}
        >
          <Sign path="M6 3h8v14l-4-3.5L6 17Z" />
          {isSaved ? 'Saved' : 'Save'}
        </button>
        <button
          type="button"
          className="button"
          aria-expanded={Panel !== undefined}
          onClick={
            Panel === undefined
              ? act(async ({ loadSharePanel }) => {
                  const found = await loadSharePanel()
                  setPanel(() => found)
                })
              : () => setPanel(undefined)
          }
        >
          <Sign path="M10 12V3M6.5 6 10 2.5 13.5 6M5 9.5V17h10V9.5" />
          Share
        </button>
        <span role="status">{said}</span>
      </div>
      {Panel === undefined ? null : <Panel name={name} />}
    </div>
  )
}

/** Drawn here, and not in the list of signs that every page loads. */
function Sign({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
