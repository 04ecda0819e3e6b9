import { Button } from '../../../../ui/button.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import type { SiteTextForAdmin } from '../texts-schema.ts'
import { TextPreview } from './text-preview.tsx'
import './texts.css'

export function TextRow({ text, onEdit }: { text: SiteTextForAdmin; onEdit: () => void }) {
  const { label, help, kind, value, isChanged } = text
  return (
    <li>
      <div>
        <h3>{label}</h3>
        <p className="work-aside">
          {help} {isChanged ? <Badge>Changed</Badge> : null}
        </p>
      </div>
      <Button label="Edit" about={`: ${label}`} onClick={onEdit} />
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="texts-shown" role="region" aria-label={label} tabIndex={0}>
        <TextPreview kind={kind} value={value} />
      </div>
    </li>
  )
}
