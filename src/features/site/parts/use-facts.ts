import { useRouteLoaderData } from 'react-router'
import type { SiteFacts } from '../site-facts.ts'

/** What the root's loader has told of the site; undefined only on an error page of the root itself. */
export function useFacts(): SiteFacts | undefined {
  return useRouteLoaderData('root')
}
