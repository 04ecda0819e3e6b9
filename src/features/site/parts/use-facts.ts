import { useRouteLoaderData } from 'react-router'
import type { SiteFacts } from '../site-facts.ts'

/** The root loader's facts about the site; undefined only on an error page of the root itself. */
export function useFacts(): SiteFacts | undefined {
  return useRouteLoaderData('root')
}
