import { useState } from 'react'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkPage, WorkSection } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../browser/admin-query.ts'
import { siteTextGroups } from '../site-text.ts'
import { TextDialog, textsPath } from '../parts/text-dialog.tsx'
import { TextRow } from '../parts/text-row.tsx'
import { type SiteTextForAdmin, SiteTextsForAdmin } from '../texts-schema.ts'

export const handle = { title: 'Texts' } satisfies TitledPage

export const meta = guardedMeta

export default function TextsRoute() {
  const query = useAdminQuery(textsPath, SiteTextsForAdmin)
  const { data, error } = query
  const [edited, setEdited] = useState<SiteTextForAdmin>()
  return (
    <WorkPage title="Texts" lead="The words the site uses about itself. Changes are live within a second.">
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
