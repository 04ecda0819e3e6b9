import { useState } from 'react'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkPage, WorkSection } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../browser/admin-query.ts'
import { siteTextGroups } from '../site-text.ts'
import { TextDialog, textsPath } from '../parts/text-dialog.tsx'
import { TextPreview } from '../parts/text-preview.tsx'
import { type SiteTextForAdmin, SiteTextsForAdmin } from '../texts-schema.ts'
import '../parts/texts.css'

export const handle = { title: 'Texts' } satisfies TitledPage

export const meta = guardedMeta

/** The texts of the site, which administrators may change. */
export default function TextsRoute() {
  const query = useAdminQuery(textsPath, SiteTextsForAdmin)
  const { data, error } = query
  const [edited, setEdited] = useState<SiteTextForAdmin>()
  return (
    <WorkPage title="Texts" lead="The texts of the site about itself. Changes take effect everywhere within a second.">
      {data === undefined || error !== undefined ? <WorkAwaited query={query} /> : null}
      {data === undefined
        ? null
        : siteTextGroups.map((group) => (
            <WorkSection key={group} title={group}>
              <ul className="texts-list">
                {data.texts
                  .filter((text) => text.group === group)
                  .map((text) => (
                    <TextRow key={text.key} text={text} onEdit={() => setEdited(text)} />
                  ))}
              </ul>
            </WorkSection>
          ))}
      {edited === undefined ? null : <TextDialog text={edited} onClose={() => setEdited(undefined)} />}
    </WorkPage>
  )
}

function TextRow({ text, onEdit }: { text: SiteTextForAdmin; onEdit: () => void }) {
  const { label, help, kind, value, isChanged } = text
  return (
    <li>
      <div>
        <h3>
          {label} {isChanged ? <Badge>Changed</Badge> : null}
        </h3>
        <p className="work-aside">{help}</p>
      </div>
      <button type="button" className="button" onClick={onEdit}>
        Edit<span className="sr-only">{`: ${label}`}</span>
      </button>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="texts-shown" role="region" aria-label={label} tabIndex={0}>
        <TextPreview kind={kind} value={value} />
      </div>
    </li>
  )
}
