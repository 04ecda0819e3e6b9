import { data, redirect, useLocation } from 'react-router'
import { pageScope } from '../../../http/pages/page-context.ts'
import { OutagePage, outageIn } from '../../../ui/outage-page.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { catalogueContext } from '../page-context.ts'
import { freePageAt, itemPath } from '../item/content-type.ts'
import type { ItemDetail } from '../item/listing.ts'
import { BackToList } from '../parts/back-to-list.tsx'
import { Tombstone } from '../parts/tombstone.tsx'
import { CatalogueCard } from '../parts/card/catalogue-card.tsx'
import { widest } from '../covers/parts/cover-of.ts'
import { structuredWork } from '../parts/card/structured-work.ts'
import { readItem } from '../details/read-item.server.ts'
import { freeShelves } from '../shelves/free-shelves.ts'
import type { Route } from './+types/detail.ts'

/** The four detail pages are one. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const app = context.get(catalogueContext)
  const section = freePageAt(url.pathname)
  const { publicUrl } = app.config
  const { brandName } = app.texts.inForce
  const found = await readItem(app, { page: section, slug: params.slug })
  if (found.kind === 'found') for (const scope of found.scopes) context.get(pageScope).state(scope)
  if (found.kind === 'moved') throw redirect(found.to, 301)
  const item: ItemDetail | undefined = found.kind === 'found' ? found.item : undefined
  const neighbours = found.kind === 'found' ? found.neighbours : undefined
  const tombstone = found.kind === 'removed' ? found.tombstone : undefined
  const benefits = app.texts.list('vip.upgrade')
  const status = item === undefined ? (tombstone?.answer ?? 404) : 200
  return data({ section, site: { brandName, publicUrl }, item, neighbours, tombstone, benefits }, { status })
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return [{ title: 'Error' }, { name: 'robots', content: 'noindex' }]
  const { section, site, item, tombstone } = loaderData
  if (tombstone !== undefined) return pageMeta({ title: 'Removed', brand: site.brandName, indexed: false })
  if (item === undefined) return pageMeta({ title: 'Content Not Found', brand: site.brandName, indexed: false })
  const url = `${site.publicUrl}${itemPath(item)}`
  const image = `${site.publicUrl}/covers/${item.slug}.png`
  return pageMeta({
    title: item.name,
    brand: site.brandName,
    description: summaryOf(item),
    canonical: url,
    image,
    type: 'article',
    structured: [
      structuredWork(item, { url, image: item.cover === undefined ? image : site.publicUrl + widest(item.cover) }),
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: site.brandName, item: `${site.publicUrl}/` },
          { '@type': 'ListItem', position: 2, name: freeShelves[section].name, item: `${site.publicUrl}/${section}` },
          { '@type': 'ListItem', position: 3, name: item.name, item: url },
        ],
      },
    ],
  })
}

/** Search engines and those who share the page show its beginning. */
function summaryOf({ name, creators = [], description, category, day, rights }: ItemDetail): string {
  const title = creators.length === 0 ? name : `${name} by ${creators.join(', ')}`
  if (description !== undefined) return `${title}. ${beginningOf(description.replace(/\s+/g, ' '))}`
  return `${title}: ${category}, entered on ${day}. ${rights.basis}.`
}

/** No more than is shown: about two lines, ended between words. */
function beginningOf(text: string): string {
  const most = 200
  if (text.length <= most) return text
  const end = text.lastIndexOf(' ', most)
  return `${text.slice(0, end > most / 2 ? end : most).toWellFormed()}…`
}

export default function DetailRoute({ loaderData }: Route.ComponentProps) {
  const { section, item, neighbours, tombstone, benefits } = loaderData
  return (
    <div className="column">
      {tombstone !== undefined ? (
        <Tombstone tombstone={tombstone} steps={<BackToList shelf={freeShelves[section]} />} />
      ) : item === undefined ? (
        <StatePage drawing="missing" title="Content Not Found" steps={<BackToList shelf={freeShelves[section]} />}>
          <p>{`The ${section} content you're looking for doesn't exist or has been removed.`}</p>
        </StatePage>
      ) : (
        <CatalogueCard
          item={item}
          neighbours={neighbours}
          benefits={benefits}
          back={<BackToList shelf={freeShelves[section]} />}
        />
      )}
    </div>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const section = freePageAt(useLocation().pathname)
  const outage = outageIn(error)
  if (outage !== undefined) return <OutagePage message={outage} />
  return (
    <div className="column">
      <StatePage drawing="blot" title="Error" steps={<BackToList shelf={freeShelves[section]} />}>
        <p>Failed to load content details. Please try again later.</p>
      </StatePage>
    </div>
  )
}
