import { Button } from '../../../../ui/button.tsx'
import { useEffect, useState } from 'react'

/** How long the outcome is shown, in milliseconds. */
const shownMs = 3_000

export function CopyButton({ text, label, onCopied }: { text: string; label: string; onCopied?: () => void }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()

  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
      onCopied?.()
    } catch {
      // The browser forbids it, or the site is not served over https.
      setOutcome('refused')
    }
  }
  return (
    <>
      <Button label={label} onClick={() => void copy()} />
      <span className="soft-label copy-outcome" role="status">
        {outcome === 'copied' ? 'Copied' : null}
        {outcome === 'refused' ? 'The browser does not allow it. Select the text and copy it.' : null}
      </span>
    </>
  )
}
