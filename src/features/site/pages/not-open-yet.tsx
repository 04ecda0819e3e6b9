import { data } from 'react-router'
import { appContext } from '../../../platform/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { NotOpenYet } from '../parts/not-open-yet.tsx'
import type { Route } from './+types/not-open-yet.ts'

export function loader({ context }: Route.LoaderArgs) {
  const { brandName, contactEmail } = context.get(appContext).config
  return data({ brandName, contactEmail }, { status: 404 })
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Not open yet', brand: loaderData?.brandName ?? 'Not open yet', indexed: false })
}

export default function NotOpenYetPage({ loaderData }: Route.ComponentProps) {
  return <NotOpenYet contactEmail={loaderData.contactEmail} />
}
