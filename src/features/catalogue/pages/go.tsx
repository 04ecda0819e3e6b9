import { redirect } from 'react-router'
import { pageVisit } from '../../../http/pages/page-context.ts'
import { catalogueContext } from '../page-context.ts'
import { startPassage } from '../gateway/start-passage.server.ts'
import type { Route } from './+types/go.ts'

/** The beginning of a download. It renders nothing: it redirects or refuses. */
export async function loader({ params: { slug, slot }, context }: Route.LoaderArgs): Promise<never> {
  const { method, address } = context.get(pageVisit)
  const isCounted = method === 'GET'
  throw redirect(await startPassage(context.get(catalogueContext), { slug, slot, address, isCounted }), 303)
}

export default function GoRoute() {
  return null
}
