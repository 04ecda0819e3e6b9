import { useLayoutEffect } from 'react'
import { type MetaDescriptor, useMatches, useRouteLoaderData } from 'react-router'
import { pageMeta, titleWithBrand } from '../ui/page-meta.ts'

/**
 * The title of a guarded page once access is granted: `export const handle = { title: 'Billing' } satisfies
 * TitledPage`. Until then `guardedMeta` names it.
 */
export interface TitledPage {
  /** A module that stands at several paths may say it for each. */
  title: string | ((pathname: string) => string)
}

/**
 * The `meta` of a guarded page, which does not tell what the page holds: `export const meta = guardedMeta`.
 */
export function guardedMeta({
  matches: [root],
}: {
  matches: readonly [{ loaderData?: { brandName: string } | undefined }, ...unknown[]]
}): MetaDescriptor[] {
  const brand = root.loaderData?.brandName ?? 'Members only'
  return pageMeta({ title: 'Members only', brand, indexed: false })
}

/** Gives the page the title of its declaration, for as long as the component that asks for it stands. */
export function useDeclaredTitle(): void {
  const page = useMatches().at(-1)
  const { title } = (page?.handle ?? {}) as Partial<TitledPage>
  usePageTitle(typeof title === 'function' ? title(page?.pathname ?? '') : title)
}

/** Names the page, without the brand, which is added; undefined leaves its title as it is. */
export function usePageTitle(title: string | undefined): void {
  const root = useRouteLoaderData<{ brandName: string }>('root')
  const full = title === undefined || root === undefined ? title : titleWithBrand(title, root.brandName)
  useLayoutEffect(() => (full === undefined ? undefined : enter(full)), [full])
}

/** The titles in force, the latest last, and what stands where there is none. */
const entered: { title: string }[] = []
let plain = ''
let shown = ''

/** @returns ends it */
function enter(title: string): () => void {
  const own = { title }
  if (entered.length === 0) plain = document.title
  entered.push(own)
  show(title)
  return () => {
    entered.splice(entered.indexOf(own), 1)
    // Otherwise the next page has put its own there already.
    if (document.title === shown) show(entered.at(-1)?.title ?? plain)
  }
}

function show(title: string): void {
  document.title = title
  shown = title
}
