import { Badge } from '../../../ui/badge.tsx'
import { pagePattern } from '../../../http/pages/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { BlocksOfText } from '../../office/texts/parts/blocks-of-text.tsx'
import { membershipContext } from '../page-context.ts'
import type { Route } from './+types/legal.ts'
import '../parts/account/legal-page.css'

export function loader({ context }: Route.LoaderArgs) {
  const { config, legalTexts, texts } = context.get(membershipContext)
  const path = context.get(pagePattern) === '/terms' ? '/terms' : '/privacy'
  return {
    path,
    text: path === '/terms' ? legalTexts.terms : legalTexts.privacy,
    brandName: texts.inForce.brandName,
    publicUrl: config.publicUrl,
  }
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return [{ title: 'Error' }, { name: 'robots', content: 'noindex' }]
  const { path, text, brandName, publicUrl } = loaderData
  return pageMeta({
    title: text.title,
    brand: brandName,
    description: `${text.title} of ${brandName}.`,
    canonical: `${publicUrl}${path}`,
  })
}

/** `/terms` and `/privacy`: the operator's texts, each on a page of its own (docs/spec/pages.md#legal). */
export default function Legal({ loaderData: { text } }: Route.ComponentProps) {
  const { title, isDraft, blocks } = text
  return (
    <div className="column legal-page">
      <header>
        <h1>{title}</h1>
        {isDraft ? <Badge>Draft</Badge> : null}
      </header>
      {isDraft ? (
        <p className="notice notice-calm">
          This text is a draft that came with the software. The operator of this site has to replace it with their own.
        </p>
      ) : null}
      <BlocksOfText blocks={blocks} level={2} />
    </div>
  )
}
