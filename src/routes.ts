import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'
import { pages } from './app/pages.ts'
import { guards, notFoundFile } from './features/site/pages.ts'
import type { Page } from './http/pages/page.ts'

/** The features' tables of pages, as React Router reads them. */
export default [
  ...pages.filter((page) => guardOf(page) === undefined).map(routeOf),
  ...Object.values(guards).map((guard) => layout(guard, pages.filter((page) => guardOf(page) === guard).map(routeOf))),
  // Every component of src/ui, under `npm run dev` alone: a build holds neither the page nor its address.
  ...(process.env['NODE_ENV'] === 'development' ? [route('docs/ui', '../dev/ui-page.tsx', { id: 'docs/ui' })] : []),
  route('*', notFoundFile),
] satisfies RouteConfig

function guardOf(page: Page): string | undefined {
  return page.kind === 'shell' && (page.access === 'vip' || page.access === 'admin') ? guards[page.access] : undefined
}

function routeOf({ path, file, id = path.slice(1), isCaseSensitive }: Page): ReturnType<typeof route> {
  if (path === '/') return index(file, { id })
  return route(path.slice(1), file, { id, ...(isCaseSensitive === true ? { caseSensitive: true } : {}) })
}
