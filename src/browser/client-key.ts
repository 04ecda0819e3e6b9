/** The site's public client key, as the page names it (docs/spec/access.md#keys). */
export function siteClientKey(): string | undefined {
  return typeof document === 'undefined' ? undefined : document.documentElement.dataset['clientKey']
}
