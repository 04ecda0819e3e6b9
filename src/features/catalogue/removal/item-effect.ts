import { pathOfAnyItem } from '../item/vip-page.ts'
import type { Refusal } from '../publishing/publication-checks.ts'

export interface ItemEffect {
  id: string
  name: string
  path: string
  /** Whether it was named by the notice, or only has a link that is blocked. */
  wasReported: boolean
  /** Its status after it; `unchanged` where nothing has become of it. */
  effect: 'removed' | 'restricted' | 'published' | 'draft' | 'unchanged'
  reasons: Pick<Refusal, 'code' | 'message' | 'remedy'>[]
}

interface Named {
  id: string
  item: { name: string; contentType: string; category: string; slug: string }
}

export function effectOn(
  { id, item }: Named,
  effect: ItemEffect['effect'],
  { wasReported = true, reasons = [] }: { wasReported?: boolean; reasons?: readonly Refusal[] } = {},
): ItemEffect {
  return {
    id,
    name: item.name,
    path: pathOfAnyItem(item),
    wasReported,
    effect,
    reasons: reasons.map(({ code, message, remedy }) => ({ code, message, remedy })),
  }
}
