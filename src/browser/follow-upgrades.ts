import { pageAddressOf } from '../http/pages/data-address.ts'
import { buildHeader } from '../http/pages/page-headers.ts'

/**
 * Has a tab that was open during an upgrade load the next page whole: the data of the new build may be misread without
 * an error. The router fetches data itself and shows nobody the headers of the answer, so they are read on the way.
 */
export function followUpgrades(): void {
  const { __reactRouterManifest: manifest } = window as { __reactRouterManifest?: { version?: string } }
  const { fetch } = window
  window.fetch = async (...request) => {
    const response = await fetch(...request)
    const build = response.headers.get(buildHeader)
    if (build === null || build === manifest?.version) return response
    window.location.assign(pageAddressOf(new URL(response.url)))
    // Nobody reads it: the page is on its way out.
    return new Promise(() => undefined)
  }
}
