/**
 * The plans, from the page of an entry: purchases are counted by entry (docs/spec/membership.md#conversion). The address
 * carries it, and nothing is kept in the browser.
 */
export function plansPath(slug?: string): string {
  return slug === undefined ? '/plans' : `/plans?${new URLSearchParams({ entry: slug }).toString()}`
}
