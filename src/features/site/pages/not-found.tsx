import { data } from 'react-router'
import { accountsContext } from '../../accounts/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { NotFoundPage } from '../parts/error-page.tsx'
import type { Route } from './+types/not-found.ts'

export function loader({ context }: Route.LoaderArgs) {
  return data({ brandName: context.get(accountsContext).texts.inForce.brandName }, { status: 404 })
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Not found', brand: loaderData?.brandName ?? 'Not found', indexed: false })
}

export default NotFoundPage
