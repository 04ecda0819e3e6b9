import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../../../ui/badge.tsx'
import type { DecisionPreview } from '../../desk/desk-schema.ts'
import { becomesInWords } from './desk-words.ts'

export function DecisionPreviewed({ preview: { emails, items } }: { preview: DecisionPreview }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="desk-preview" aria-labelledby="decision-preview">
      <h3 id="decision-preview" ref={heading} tabIndex={-1}>
        Before you send it
      </h3>
      <p className="work-aside">Nothing has been sent or changed yet.</p>
      <h4>What becomes of the entries</h4>
      {items.length === 0 ? (
        <p>This notice names no entry on this site, so nothing changes.</p>
      ) : (
        <ul className="desk-list">
          {items.map(({ id, name, path, becomes }) => (
            <li key={id}>
              <Link className="work-link" to={path} target="_blank">
                <bdi>{name}</bdi>
                <span className="sr-only"> (opens in a new tab)</span>
              </Link>{' '}
              <Badge>{becomesInWords(becomes)}</Badge>
            </li>
          ))}
        </ul>
      )}
      <h4>What is emailed</h4>
      {emails.length === 0 ? <p>Nobody is emailed, because we know no address of anybody concerned.</p> : null}
      {emails.map(({ to, subject, text }) => (
        <figure key={to} className="desk-mail">
          <figcaption>
            <span>
              To <bdi>{to}</bdi>
            </span>
            <span className="desk-mail-subject" dir="auto">
              {subject}
            </span>
          </figcaption>
          <p className="desk-words" dir="auto">
            {text}
          </p>
        </figure>
      ))}
    </section>
  )
}
