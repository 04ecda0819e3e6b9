import { data } from 'react-router'
import { appContext } from '../../../platform/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { NotOpenYet } from '../parts/not-open-yet.tsx'
import type { Route } from './+types/not-open-yet.ts'

export function loader({ url, context }: Route.LoaderArgs) {
  const { brandName, contactEmail } = context.get(appContext).config
  const isPlans = url.pathname.startsWith('/plans')
  return data({ brandName, contactEmail, isPlans }, { status: 404 })
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Not open yet', brand: loaderData?.brandName ?? 'Not open yet', indexed: false })
}

export default function NotOpenYetPage({ loaderData }: Route.ComponentProps) {
  const { contactEmail, isPlans } = loaderData
  return (
    <NotOpenYet contactEmail={contactEmail}>
      {isPlans ? (
        <>
          <p id="privacy">Privacy Policy: the operator sends the text on request.</p>
          <p id="terms">Terms of Service: the operator sends the text on request.</p>
        </>
      ) : null}
    </NotOpenYet>
  )
}
