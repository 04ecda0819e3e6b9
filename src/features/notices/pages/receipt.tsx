import { redirect } from 'react-router'
import { isAppError } from '../../../platform/errors.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { FormPage } from '../../accounts/parts/form-page.tsx'
import { formOfKind, formWords } from '../intake/notice-forms.ts'
import { readReceipt } from '../intake/read-receipt.server.ts'
import { trackingPath } from '../intake/tracking-token.server.ts'
import { noticesContext } from '../page-context.ts'
import { ReceiptCard } from '../parts/receipt.tsx'
import type { Route } from './+types/receipt.ts'
import '../parts/notices.css'

/**
 * The page after a form was accepted: a reload sends nothing again. An expired or unknown receipt redirects to the
 * private page.
 */
export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const app = context.get(noticesContext)
  const receipt = await readReceipt(app, token).catch((error: unknown) => {
    if (!isAppError(error) || error.status !== 404) throw error
  })
  if (receipt === undefined) throw redirect(trackingPath(token), 303)
  return { brandName: app.texts.inForce.brandName, publicUrl: app.config.publicUrl, receipt }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    // The address of this page is a secret, which no other site is told.
    { name: 'referrer', content: 'same-origin' },
    ...pageMeta({ title: 'Your notice has arrived', brand: loaderData?.brandName ?? 'Your notice', indexed: false }),
  ]
}

export default function ReceiptRoute({ loaderData: { receipt, publicUrl } }: Route.ComponentProps) {
  const form = formOfKind(receipt.kind)
  return (
    <FormPage title={formWords[form].title} lead="Thank you for telling us.">
      <ReceiptCard receipt={receipt} form={form} publicUrl={publicUrl} />
    </FormPage>
  )
}
