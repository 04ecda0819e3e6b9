import { useEffect, useRef, useState } from 'react'
import { callApi, networkSentence, sentenceOf, usualSentence } from '../../../../browser/api-client.ts'
import type { LinkSlot, LinkState } from '../../item/link-slots.ts'
import { downloadStates } from './mirror-words.ts'
import '../../links/parts/link-states.css'

type Report = { kind: 'none' } | { kind: 'sending' } | { kind: 'sent' } | { kind: 'failed'; sentence: string }

export function DownloadHealth({
  itemSlug,
  slot,
  state,
  label,
  token,
}: {
  itemSlug: string
  slot: LinkSlot
  state: LinkState
  /** Names the download to screen readers. */
  label: string
  /** The session of a VIP: without it a VIP item answers 404. */
  token?: string | undefined
}) {
  const [report, setReport] = useState<Report>({ kind: 'none' })
  const outcome = useRef<HTMLSpanElement>(null)
  const word = downloadStates[state]

  // The button is removed: the focus moves to the sentence that takes its place.
  useEffect(() => {
    if (report.kind === 'sent') outcome.current?.focus()
  }, [report.kind])

  const send = async (): Promise<void> => {
    setReport({ kind: 'sending' })
    try {
      const reply = await callApi('/links/report', {
        method: 'POST',
        body: { slug: itemSlug, slot },
        ...(token === undefined ? {} : { token }),
      })
      setReport(reply.ok ? { kind: 'sent' } : { kind: 'failed', sentence: sentenceOf(reply) ?? usualSentence })
    } catch {
      // `callApi` throws only when no answer came.
      setReport({ kind: 'failed', sentence: networkSentence })
    }
  }

  return (
    <p className="download-health">
      {word === undefined ? null : (
        <span className={`link-state link-state-${state}`}>
          <span className="sr-only">{`${label}: `}</span>
          {word}
        </span>
      )}
      {report.kind === 'sent' ? null : (
        <button
          type="button"
          className="text-link download-tool download-report with-script"
          aria-disabled={report.kind === 'sending'}
          onClick={() => {
            if (report.kind !== 'sending') void send()
          }}
        >
          Report a dead link
          <span className="sr-only">{`: ${label}`}</span>
        </button>
      )}
      <span className="download-outcome" role="status" ref={outcome} tabIndex={-1}>
        {report.kind === 'sent'
          ? 'Thank you. The link has been reported.'
          : report.kind === 'failed'
            ? report.sentence
            : null}
      </span>
    </p>
  )
}
