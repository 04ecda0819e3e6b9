import { useEffect, useRef } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import { recordChangedSite } from '../../../browser/changed-site.ts'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { SiteTextsForAdmin } from '../../office/texts/texts-schema.ts'

const pagesOfTexts = new Set(['/admin/texts', '/admin/appearance'])

/** Has the header, the footer and the titles follow when a text of the site is saved: here at once. */
export function useChangedTexts(): void {
  const { pathname } = useLocation()
  const { revalidate } = useRevalidator()
  // These pages ask for the same: it is one answer.
  const { data } = useAdminQuery('/api/texts', SiteTextsForAdmin, { isEnabled: pagesOfTexts.has(pathname) })
  const versions = data?.texts.map(({ key, version }) => `${key} ${version}`).join('\n')
  const known = useRef(versions)
  useEffect(() => {
    const before = known.current
    known.current = versions
    if (before === undefined || versions === undefined || before === versions) return
    recordChangedSite()
    void revalidate()
  }, [versions, revalidate])
}
