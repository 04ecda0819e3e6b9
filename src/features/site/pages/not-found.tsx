import { data } from 'react-router'
import { accountsContext } from '../../accounts/page-context.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { NotFoundPage } from '../parts/error-page.tsx'
import type { Route } from './+types/not-found.ts'

export function loader({ context }: Route.LoaderArgs) {
  return data({ brandName: context.get(accountsContext).texts.inForce.brandName }, { status: 404 })
}

export const meta = unindexedMeta('Not found')

export default NotFoundPage
