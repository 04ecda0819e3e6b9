import { useId } from 'react'
import { Badge } from '../../../../ui/badge.tsx'
import { BlocksOfText } from '../../../accounts/texts/blocks-of-text.tsx'
import type { LegalText } from '../../account/legal-text.ts'
import './legal-section.css'

/** One of the operator's texts: its name in the margin, the text beside it in lines of a good length. */
export function LegalSection({ id, text: { title, isDraft, blocks } }: { id: 'terms' | 'privacy'; text: LegalText }) {
  const headingId = useId()
  return (
    <section id={id} className="legal" aria-labelledby={headingId}>
      <div className="legal-head">
        <h2 id={headingId}>{title}</h2>
        {isDraft ? <Badge>Draft</Badge> : null}
      </div>
      <div className="legal-text">
        {isDraft ? (
          <p className="notice notice-calm">
            This text is a draft that came with the software. The operator of this site has to replace it with their
            own.
          </p>
        ) : null}
        <BlocksOfText blocks={blocks} />
      </div>
    </section>
  )
}
