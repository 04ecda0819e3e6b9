import { useEffect, useState } from 'react'
import './copy-link.css'

/** How long the button says that it has copied; milliseconds. */
const saidForMs = 4_000

/**
 * Puts an address on the clipboard, and says so, also to who cannot see the button.
 * @param label what the address leads to, for who hears the buttons without their places
 */
export function CopyLink({ url, label }: { url: string; label: string }) {
  const [said, setSaid] = useState('')

  useEffect(() => {
    if (said === '') return undefined
    const timer = window.setTimeout(() => setSaid(''), saidForMs)
    return () => window.clearTimeout(timer)
  }, [said])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url)
      setSaid('Copied')
    } catch {
      // A browser has no clipboard for pages that came without encryption, and its user may refuse it to others.
      setSaid('Not copied: the browser does not allow it')
    }
  }

  return (
    <span className="copy-link">
      <button type="button" className="button button-quiet" onClick={() => void copy()}>
        Copy link
        <span className="sr-only">{` of ${label}`}</span>
      </button>
      <span role="status">{said}</span>
    </span>
  )
}
