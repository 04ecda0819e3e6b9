import { pageMeta } from '../../../ui/page-meta.ts'
import { NotOpenYet } from '../parts/not-open-yet.tsx'
import { useFacts } from '../parts/use-facts.ts'
import type { Route } from './+types/unopened-room.ts'

/** A page behind the doors that is not built yet. Its title tells nobody what is in there. */
export function meta({ matches: [root] }: Route.MetaArgs) {
  const brand = root.loaderData?.brandName ?? 'Members only'
  return pageMeta({ title: 'Members only', brand, indexed: false })
}

export default function UnopenedRoom() {
  const facts = useFacts()
  return facts === undefined ? null : <NotOpenYet contactEmail={facts.contactEmail} />
}
