import { useEffect, useState } from 'react'

const shownMs = 3_000

export function CopyLink({ href, label }: { href: string; label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()

  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(new URL(href, window.location.href).href)
      setOutcome('copied')
    } catch {
      // The browser forbids it, or the site is not served over https.
      setOutcome('refused')
    }
  }

  return (
    <div className="copy-link with-script">
      <button type="button" className="text-link download-tool" onClick={() => void copy()}>
        Copy link
        <span className="sr-only">{` of ${label}`}</span>
      </button>
      <span role="status">
        {outcome === 'copied' ? 'Link copied' : null}
        {outcome === 'refused' ? 'The browser does not allow it' : null}
      </span>
    </div>
  )
}
