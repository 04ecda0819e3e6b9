import type { MetaDescriptor } from 'react-router'

export interface PageMeta {
  /** Without the brand, which is added. */
  title: string
  brand: string
  description?: string
  /** The one address of this page, absolute. */
  canonical?: string
  /** Absolute address of the picture that is shown where the page is shared, 1200 × 630. */
  image?: string
  /** `false` for pages that search engines have no business with. */
  indexed?: boolean
  type?: 'website' | 'article'
  /** The path of the feed of this list, without its ending, and the query that narrows it as the list is. */
  feed?: string
  feedQuery?: string
  /** Schema.org objects. */
  structured?: Record<string, unknown>[]
}

/** 'Billing · Daybook' */
export function titleWithBrand(title: string, brand: string): string {
  return title === brand ? title : `${title} · ${brand}`
}

function alternate(type: string, href: string): MetaDescriptor {
  return { tagName: 'link', rel: 'alternate', type: `application/${type}`, href }
}

export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const { title, brand, description, canonical, image, indexed = true, type = 'website', structured = [] } = page
  const { feed, feedQuery = '' } = page
  const meta: MetaDescriptor[] = [
    { title: titleWithBrand(title, brand) },
    { property: 'og:title', content: title },
    { property: 'og:site_name', content: brand },
    { property: 'og:type', content: type },
  ]
  if (description !== undefined) {
    meta.push({ name: 'description', content: description }, { property: 'og:description', content: description })
  }
  if (canonical !== undefined && indexed) {
    meta.push({ tagName: 'link', rel: 'canonical', href: canonical }, { property: 'og:url', content: canonical })
  }
  if (image !== undefined) {
    meta.push(
      { property: 'og:image', content: image },
      // Told its size, those who show it need not wait for it.
      { property: 'og:image:width', content: '1200' },
      { property: 'og:image:height', content: '630' },
      { name: 'twitter:card', content: 'summary_large_image' },
    )
  }
  if (feed !== undefined) {
    meta.push(
      alternate('rss+xml', `${feed}.rss${feedQuery}`),
      alternate('feed+json', `${feed}.json${feedQuery}`),
      alternate('atom+xml;profile=opds-catalog', '/opds'),
    )
  }
  if (!indexed) meta.push({ name: 'robots', content: 'noindex' })
  for (const each of structured) meta.push({ 'script:ld+json': { '@context': 'https://schema.org', ...each } as never })
  return meta
}

/** For React Router's `shouldRevalidate`: the loader's data is the same for every address of the page. */
export function staysLoaded(): boolean {
  return false
}
