import { useState } from 'react'
import { QrCode } from '../../../accounts/settings/factors/qr-code.tsx'
import { CopyLink } from './copy-link.tsx'

/** The address of the page that is open: copied, handed to another program of the device where there is a way, and as a code for a telephone. */
export function SharePanel({ name }: { name: string }) {
  const { origin, pathname } = window.location
  const url = origin + pathname
  const [problem, setProblem] = useState('')
  const hand = async (): Promise<void> => {
    setProblem('')
    try {
      await navigator.share({ title: name, url })
    } catch (error) {
      // It was put away again.
      if (error instanceof DOMException && error.name === 'AbortError') return
      setProblem('This device could not share it. Copy the link instead.')
    }
  }
  return (
    <section className="share-panel" aria-label="Share this entry">
      <QrCode text={url} label={`A code with the address ${url}`} />
      <div>
        <p className="share-address">{url}</p>
        <CopyLink href={url} label={name} />
        {'share' in navigator ? (
          <button type="button" className="button" onClick={() => void hand()}>
            Share with another app
          </button>
        ) : null}
        <span role="status">{problem}</span>
      </div>
    </section>
  )
}
