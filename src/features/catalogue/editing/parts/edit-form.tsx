import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import type { ContentType } from '../../item/content-type.ts'
import { sectionOf } from '../content-sections.ts'
import { ItemForAdmin } from '../content-schema.ts'
import { ContentForm } from './content-form.tsx'
import { savedFormOf } from './use-content-draft.ts'

export function EditForm({
  id,
  ...form
}: { id: string } & Omit<Parameters<typeof ContentForm>[0], 'item' | 'goneId' | 'section'>) {
  const query = useAdminQuery(`/api/items/${encodeURIComponent(id)}`, ItemForAdmin, {
    isForgotten: true,
  })
  const { data: item, error } = query
  const { whose } = form
  const [kept] = useState(() => savedFormOf(whose, id)?.values)
  if (item !== undefined) return <ContentForm {...form} item={item} section={sectionOf(item.contentType)} />
  if (error?.status === 404 && kept !== undefined) {
    // A kept type is one of the form's own choices.
    const section = sectionOf(kept.contentType as ContentType)
    return <ContentForm {...form} item={undefined} goneId={id} section={section} />
  }
  const close = <Button label="Close" onClick={form.onClose} />
  return (
    <WorkAwaited
      failure="The entry could not be loaded"
      query={query}
      step={error?.status === 404 ? close : undefined}
    />
  )
}
