import type { MetaDescriptor } from 'react-router'
import { pageMeta } from './page-meta.ts'

interface Loaded {
  loaderData?: { brandName: string } | undefined
}

/** The `meta` of a page that search engines have no business with: `export const meta = unindexedMeta('Support')`. */
export function unindexedMeta(title: string): (page: Loaded) => MetaDescriptor[] {
  return ({ loaderData }) => pageMeta({ title, brand: loaderData?.brandName ?? title, indexed: false })
}
