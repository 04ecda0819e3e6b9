/** A link as the header `Location` can hold it. One of visible ASCII stays as it was written. */
export function locationOf(link: string): string {
  return /^[\x21-\x7e]+$/.test(link) ? link : new URL(link).href
}
